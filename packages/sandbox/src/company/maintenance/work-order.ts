/** A work order with the data that its steps, readings and alarms depend on; times are in days ago. */
export interface WorkOrder {
  readonly aufid: number;
  readonly anlnr: number;
  readonly status: string;
  readonly art: string;
  readonly wpnr: number | null;
  readonly meldnr: number | null;
  readonly reported: number;
  readonly start: number | null;
  readonly end: number | null;
}
