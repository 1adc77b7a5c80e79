/** How the texts of a column are written, where they are not in the form of the wire. */
export interface TextForm {
  /** The decimal separator of its numbers; the other one groups thousands. */
  readonly decimal?: '.' | ',';
  /** The format of its dates: `DD.MM.YYYY`. */
  readonly date?: string;
}
