export const recordTexts = {};
