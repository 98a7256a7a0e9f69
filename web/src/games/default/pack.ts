/** Any game, drawn plainly. */

import Card from "../../cards/Card.svelte";
import type { Pack } from "../pack";
import Table from "./Table.svelte";

export const pack: Pack = { Table, Face: Card };
