/** Limits of the values of a custom field besides its type. If a limit is absent, there is none. */
export interface CustomFieldLimits {
  /** Maximum number of characters of a text. */
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Maximum number of digits after the decimal point; 0 means whole numbers. */
  readonly decimals?: number;
}
