/** A Redis of its own, without files. Debian has it as `redis-server`. */
export interface RedisServer {
  readonly url: string;
  /** Number of keys that it has. */
  keys(): Promise<number>;
  /** Kills it immediately (SIGKILL); resolves when it has exited. */
  kill(): Promise<void>;
  /** Starts it again without keys, at the same address; resolves when it responds. */
  start(): Promise<void>;
  /** Has it respond to nothing until `resume`. */
  hang(): void;
  resume(): void;
}
export declare function startRedisServer(): Promise<RedisServer>;
