/** Parameters; those that are not required may also be null or undefined, and are then left out. */
export type LeftOut<Parameters> = {
  [Name in keyof Parameters]: Record<never, never> extends Pick<Parameters, Name>
    ? Parameters[Name] | null | undefined
    : Parameters[Name];
};
