/** Limits of the values of a custom field besides its type. Absent: there is none. */
export interface CustomFieldLimits {
  /** Characters of a text. */
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Digits after the decimal point; 0: whole numbers. */
  readonly decimals?: number;
}
