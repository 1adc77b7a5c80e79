/** A short list: its key, where its entries are used, and code, name and code of the parent of each entry. */
export interface ShortList {
  readonly key: string;
  readonly use: string;
  readonly entries: readonly (readonly [code: string, name: string, parent?: string])[];
}

export const shortLists: readonly ShortList[] = [
  {
    key: 'ARBT',
    use: 'WorkOrder',
    entries: [
      ['CM', 'Corrective maintenance'],
      ['PM', 'Preventive maintenance'],
      ['EM', 'Emergency repair', 'CM'],
      ['INSP', 'Inspection', 'PM'],
      ['CAL', 'Calibration', 'PM'],
      ['LUB', 'Lubrication', 'PM'],
      ['MOD', 'Modification'],
      ['SAFE', 'Safety measure'],
    ],
  },
  {
    key: 'PROB',
    use: 'WorkOrder',
    entries: [
      ['P-NOISE', 'Unusual noise'],
      ['P-LEAK', 'Leak'],
      ['P-STOP', 'Machine does not start'],
      ['P-HOT', 'Runs hot'],
      ['P-VIB', 'Vibration'],
      ['P-QUAL', 'Bad product quality'],
      ['P-SLOW', 'Too slow'],
      ['P-ELEC', 'Electrical fault'],
    ],
  },
  {
    key: 'SCHA',
    use: 'WorkOrder',
    entries: [
      ['F-BRG', 'Bearing worn'],
      ['F-SEAL', 'Seal broken'],
      ['F-BELT', 'Belt torn'],
      ['F-MOTOR', 'Motor burnt out'],
      ['F-SENS', 'Sensor defective'],
      ['F-VALVE', 'Valve stuck'],
      ['F-GEAR', 'Gear damaged'],
      ['F-CABLE', 'Cable broken'],
    ],
  },
  {
    key: 'URSA',
    use: 'WorkOrder',
    entries: [
      ['C-WEAR', 'Normal wear'],
      ['C-LUBE', 'Lack of lubrication'],
      ['C-DIRT', 'Contamination'],
      ['C-OPER', 'Operating error'],
      ['C-OVER', 'Overload'],
      ['C-MAT', 'Material fault'],
      ['C-INST', 'Wrong installation'],
    ],
  },
  {
    key: 'ABHI',
    use: 'WorkOrder',
    entries: [
      ['R-REPL', 'Part replaced'],
      ['R-ADJ', 'Adjusted'],
      ['R-CLEAN', 'Cleaned'],
      ['R-LUBE', 'Lubricated'],
      ['R-WELD', 'Welded'],
      ['R-RESET', 'Control reset'],
    ],
  },
  {
    key: 'HALT',
    use: 'WorkOrder',
    entries: [
      ['H-PART', 'Part missing'],
      ['H-CREW', 'No staff available'],
      ['H-PROD', 'Production cannot stop'],
      ['H-PERM', 'Permit missing'],
      ['H-WEA', 'Weather'],
    ],
  },
  {
    key: 'STOR',
    use: 'WorkOrder PurchaseOrder',
    entries: [
      ['S-DUP', 'Duplicate'],
      ['S-NOT', 'No longer needed'],
      ['S-ERR', 'Entered by mistake'],
      ['S-VEND', 'Vendor cannot deliver'],
      ['S-BUDG', 'No budget'],
      ['S-DISC', 'Discontinued'],
    ],
  },
  {
    key: 'TEAM',
    use: 'WorkOrder Location',
    entries: [
      ['T-MECH', 'Mechanics'],
      ['T-ELEC', 'Electricians'],
      ['T-AUTO', 'Automation'],
      ['T-BLDG', 'Building services'],
      ['T-TOOL', 'Tool shop'],
      ['T-SHIFT', 'Shift crew', 'T-MECH'],
    ],
  },
  {
    key: 'ARTG',
    use: 'Item',
    entries: [
      ['G-FAST', 'Fasteners'],
      ['G-FAST-B', 'Bolts and screws', 'G-FAST'],
      ['G-FAST-N', 'Nuts and washers', 'G-FAST'],
      ['G-BEAR', 'Bearings'],
      ['G-SEAL', 'Seals and gaskets'],
      ['G-DRIVE', 'Drive technology'],
      ['G-ELEC', 'Electrical parts'],
      ['G-PNEU', 'Pneumatics'],
      ['G-HYDR', 'Hydraulics'],
      ['G-LUBE', 'Lubricants'],
      ['G-RAW', 'Raw material'],
      ['G-PACK', 'Packaging'],
      ['G-SAFE', 'Protective equipment'],
      ['G-FIN', 'Finished products'],
      ['G-SERV', 'Bought services'],
      ['G-TOOL', 'Hand tools'],
    ],
  },
  {
    key: 'LFGR',
    use: 'Vendor',
    entries: [
      ['L-MAT', 'Material vendors'],
      ['L-TRADE', 'Trading houses'],
      ['L-SERV', 'Service companies'],
      ['L-TRANS', 'Carriers'],
      ['L-ONE', 'Occasional vendors'],
    ],
  },
  {
    key: 'KDGR',
    use: 'Customer',
    entries: [
      ['K-OEM', 'Machine builders'],
      ['K-DIST', 'Distributors'],
      ['K-FOOD', 'Food industry'],
      ['K-PUB', 'Public sector'],
      ['K-PRIV', 'Private customers'],
    ],
  },
  {
    key: 'KLAS',
    use: 'PurchaseOrder PurchaseOrderLine',
    entries: [
      ['X-CAPEX', 'Investment'],
      ['X-OPEX', 'Running cost'],
      ['X-PROJ', 'Project Lighthouse'],
      ['X-ENER', 'Energy programme'],
    ],
  },
];
