/** Short, soft sounds, made here as things make them: something is struck and rings out, or paper slides, in a small room.
 * No files; no two are quite alike.
 */

import { settings } from "./settings.svelte";

export type Sound = "card" | "chip" | "coin" | "steal" | "turn" | "win" | "refuse";

/** Something struck: its partials ring out, the higher the sooner. */
interface Strike {
  /** Hertz. */
  pitch: number;
  /** Seconds from the beginning. */
  at: number;
  /** Seconds until it has faded. */
  length: number;
  /** How the partials lie above the pitch. */
  partials: readonly number[];
  volume?: number;
}

/** Paper or cloth: noise through a band that moves. */
interface Slide {
  from: number;
  to: number;
  at: number;
  length: number;
  /** How narrow the band is. */
  narrow?: number;
  volume?: number;
}

const WOOD = [1, 3.9, 9.2] as const; // a bar of a marimba
const METAL = [1, 2.76, 5.4, 8.93] as const; // a small coin
const CLAY = [1, 1.83, 2.9] as const; // a chip
const LOUDEST = 0.22;
const ROOM = { seconds: 0.25, loud: 0.3 }; // what comes back from its walls
const LOOSE = 0.04; // by how much pitch and volume differ from one time to the next

const STRIKES: Record<Sound, Strike[]> = {
  card: [{ pitch: 190, at: 0.055, length: 0.07, partials: CLAY, volume: 0.7 }],
  chip: [
    { pitch: 1450, at: 0, length: 0.06, partials: CLAY, volume: 0.5 },
    { pitch: 1280, at: 0.045, length: 0.09, partials: CLAY, volume: 0.7 },
  ],
  coin: [
    { pitch: 2100, at: 0, length: 0.22, partials: METAL, volume: 0.3 },
    { pitch: 2480, at: 0.07, length: 0.42, partials: METAL, volume: 0.35 },
  ],
  steal: [{ pitch: 120, at: 0.2, length: 0.12, partials: CLAY, volume: 0.7 }],
  turn: [
    { pitch: 523, at: 0, length: 0.4, partials: WOOD, volume: 0.6 },
    { pitch: 784, at: 0.14, length: 0.6, partials: WOOD, volume: 0.6 },
  ],
  win: [523, 659, 784, 1047].map((pitch, i) => ({ pitch, at: 0.13 * i, length: 0.9, partials: WOOD, volume: 0.6 })),
  refuse: [
    { pitch: 196, at: 0, length: 0.16, partials: WOOD, volume: 0.6 },
    { pitch: 165, at: 0.1, length: 0.22, partials: WOOD, volume: 0.6 },
  ],
};

const SLIDES: Partial<Record<Sound, Slide[]>> = {
  card: [
    { from: 1800, to: 3200, at: 0, length: 0.09, volume: 1.4 },
    { from: 900, to: 500, at: 0.06, length: 0.05, volume: 2 },
  ],
  chip: [{ from: 4200, to: 2600, at: 0, length: 0.02, volume: 0.4 }],
  steal: [{ from: 700, to: 3600, at: 0, length: 0.22, narrow: 1.4, volume: 1.3 }],
};

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;
let room: AudioNode | null = null;

/** Browsers let a page make sounds only after a first click or key. */
export function startSound(): void {
  const wake = (): void => {
    context ??= new AudioContext();
    void context.resume();
  };
  addEventListener("pointerdown", wake, { once: true });
  addEventListener("keydown", wake, { once: true });
}

export function sound(name: Sound): void {
  if (!settings.sound || settings.volume === 0 || !context || context.state !== "running") return;
  const [pitched, loud] = [loose(), loose()];
  for (const each of STRIKES[name]) strike(context, { ...each, pitch: each.pitch * pitched, volume: (each.volume ?? 1) * loud });
  for (const each of SLIDES[name] ?? []) slide(context, { ...each, volume: (each.volume ?? 1) * loud });
}

const loose = (): number => 1 + LOOSE * (2 * Math.random() - 1);

function strike(audio: AudioContext, { pitch, at, length, partials, volume = 1 }: Strike): void {
  const begin = audio.currentTime + at;
  partials.forEach((ratio, i) => {
    const fades = length / (1 + i); // what is high is gone first
    const tone = new OscillatorNode(audio, { frequency: pitch * ratio });
    tone.connect(fading(audio, begin, fades, volume / (1 + 2 * i)));
    tone.start(begin);
    tone.stop(begin + fades);
  });
}

function slide(audio: AudioContext, { from, to, at, length, narrow = 0.8, volume = 1 }: Slide): void {
  const begin = audio.currentTime + at;
  const source = new AudioBufferSourceNode(audio, { buffer: (noise ??= hiss(audio)) });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: from, Q: narrow });
  band.frequency.setValueAtTime(from, begin);
  band.frequency.exponentialRampToValueAtTime(to, begin + length);
  source.connect(band).connect(fading(audio, begin, length, volume));
  source.start(begin, 0, length);
}

/** Noise, made once; it may fade away. */
function hiss(audio: AudioContext, seconds = 1, fades = 0): AudioBuffer {
  const buffer = audio.createBuffer(1, seconds * audio.sampleRate, audio.sampleRate);
  buffer.getChannelData(0).forEach((_, i, samples) => (samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** fades));
  return buffer;
}

/** Where all is heard: at once, and a little from the walls, which keep what is shrill. */
function walls(audio: AudioContext): AudioNode {
  const [entrance, soft] = [new GainNode(audio), new BiquadFilterNode(audio, { type: "lowpass", frequency: 5000 })];
  const echo = new ConvolverNode(audio, { buffer: hiss(audio, ROOM.seconds, 4) });
  entrance.connect(audio.destination);
  entrance.connect(soft).connect(echo).connect(new GainNode(audio, { gain: ROOM.loud })).connect(audio.destination);
  return entrance;
}

function fading(audio: AudioContext, begin: number, length: number, volume: number): AudioNode {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(LOUDEST * settings.volume * volume, begin + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  gain.connect((room ??= walls(audio)));
  return gain;
}
