import type { Scene } from './scene.js';

/** Something that breaks while the service is used. */
export interface Fault {
  /** The name by which `--only` selects it. */
  readonly name: string;
  /** The title of its line in the results. */
  readonly title: string;
  /** Breaks it, and notes in the scene what came of it. */
  run(scene: Scene): Promise<void>;
}
