/** Short, quiet sounds, made here: no files. */

import { settings } from "./settings.svelte";

export type Sound = "card" | "coin" | "turn" | "win" | "refuse";

interface Note {
  /** Hertz. */
  pitch: number;
  /** Seconds from the beginning. */
  at: number;
  /** Seconds until it has faded. */
  length: number;
  shape?: OscillatorType;
  volume?: number;
}

const TUNES: Record<Exclude<Sound, "card">, Note[]> = {
  coin: [
    { pitch: 1319, at: 0, length: 0.09 },
    { pitch: 1760, at: 0.06, length: 0.28 },
  ],
  turn: [
    { pitch: 587, at: 0, length: 0.18 },
    { pitch: 880, at: 0.11, length: 0.3 },
  ],
  win: [
    { pitch: 523, at: 0, length: 0.25 },
    { pitch: 659, at: 0.11, length: 0.25 },
    { pitch: 784, at: 0.22, length: 0.25 },
    { pitch: 1047, at: 0.33, length: 0.6 },
  ],
  refuse: [{ pitch: 150, at: 0, length: 0.16, shape: "triangle", volume: 2 }],
};
const VOLUME = 0.06;

let context: AudioContext | null = null;

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
  if (!settings.sound || !context || context.state !== "running") return;
  if (name === "card") rustle(context);
  else for (const note of TUNES[name]) ring(context, note);
}

function ring(audio: AudioContext, { pitch, at, length, shape = "sine", volume = 1 }: Note): void {
  const oscillator = new OscillatorNode(audio, { frequency: pitch, type: shape });
  const begin = audio.currentTime + at;
  oscillator.connect(fading(audio, begin, length, VOLUME * volume));
  oscillator.start(begin);
  oscillator.stop(begin + length);
}

/** A card on cloth: a breath of noise. */
function rustle(audio: AudioContext): void {
  const length = 0.08;
  const noise = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  noise.getChannelData(0).forEach((_, i, samples) => (samples[i] = Math.random() * 2 - 1));
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 2400, Q: 0.8 });
  source.connect(filter).connect(fading(audio, audio.currentTime, length, VOLUME * 1.5));
  source.start();
}

function fading(audio: AudioContext, begin: number, length: number, volume: number): AudioNode {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(volume, begin + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  gain.connect(audio.destination);
  return gain;
}
