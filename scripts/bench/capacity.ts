import type { Part } from './budget.ts';

export const capacity: Part = { name: 'capacity', about: '', measure: async () => [] };
