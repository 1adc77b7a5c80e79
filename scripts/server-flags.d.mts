export declare const serverFlags: string[];
