/**
 * Labels of classification entries in examples, by the field that refers to the entry: a `team` is not called "Standard part".
 */
const LABELS: Readonly<Record<string, string>> = {
  cancelReason: 'No longer needed',
  category: 'Standard parts',
  causeCode: 'Lack of lubrication',
  closeReason: 'Resolved',
  craft: 'Electrician',
  eventType: 'Inspection',
  failureCode: 'Bearing',
  holdReason: 'Waiting for parts',
  lostReason: 'Price too high',
  problemCode: 'Unusual noise',
  propertyType: 'Industrial building',
  reason: 'No longer needed',
  reasonCode: 'Damaged in storage',
  rejectionReason: 'Over budget',
  remedyCode: 'Part replaced',
  spaceType: 'Storage',
  stage: 'Negotiation',
  taxonomies: 'Northern region',
  team: 'Mechanics',
  timeCategory: 'Overtime',
  workCenterType: 'Milling machine',
  workType: 'Preventive',
};

/** The label of the entry that a field refers to in examples; undefined if any entry suits the field. */
export function entryLabel(field: string): string | undefined {
  return Object.hasOwn(LABELS, field) ? LABELS[field] : undefined;
}
