/** A position of a journal entry, without account and amount. */
export const blankPosition = {
  ...{ soll: null, haben: null, text: null, waehr: null, kurs: null, stkz: null },
  ...{ kd: null, lf: null, pers: null, proj: null, kst: null, schl: null },
} as const;
