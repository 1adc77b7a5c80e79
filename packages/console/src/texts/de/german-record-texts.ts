export const germanRecordTexts = {};
