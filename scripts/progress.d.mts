export declare function step(text: string): void;
export declare function timed<T>(text: string, work: () => Promise<T> | T): Promise<T>;
export declare function passing(text: string): void;
export declare function passed(): void;
