import type {Engine, Model, ModelUse} from './shared-engine.js';
import type {RunOptions} from './live-pass.js';
import type {Origin} from './pass-origin.js';
import type {Pass} from './pass.js';
import type {SnapshotParts} from '../attention/import-attention.js';

/** What a session asks of the page's engine. An element for saved pictures alone has none. */
export interface EngineAccess {
  /** Loads the engine and a model; an empty address is that of the embedded model. */
  loadModel(address: string, use: ModelUse): Promise<{engine: Engine; model: Model; bytes: number}>;
  /** Finds the model that the address of a page on a hub is about. */
  modelAddress(address: string): string;
  /** Rejects if a saved picture may not be fetched. */
  mayFetch(address: string): Promise<void>;
  /** Keeps a model for a user, unless it is gone. */
  holdModel(user: object, model: Model): boolean;
  releaseModel(user: object): void;
  /** Remembers that a model has ended its engine. */
  noteEnd(address: string): void;
  /** Says that a model has run a text since. */
  forgiveEnds(address: string): void;
  runPass(model: Model, origin: Origin, options: RunOptions): Promise<Pass>;
  /** Reads saved attention from a JSON or NPZ file, in a worker. */
  readFile(url: string, signal: AbortSignal): Promise<SnapshotParts>;
}
