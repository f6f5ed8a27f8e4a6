import type { Scene } from './scene.js';

/** Something that breaks while the service is used. */
export interface Fault {
  /** As `--only` takes it. */
  readonly name: string;
  /** One line of the results. */
  readonly title: string;
  /** Breaks it, and notes in the scene what came of it. */
  run(scene: Scene): Promise<void>;
}
