/** A vendor with every plain field that Tryton supports. */
export const freshVendor = {
  name: 'Fresh Vendor',
  code: 'V-9001',
  isActive: true,
  terms: 'Net 60',
  taxNumber: 'DE 123',
  email: 'sales@fresh.example',
  phone: '+49 30 987654',
  website: 'https://fresh.example',
  leadTimeDays: 14,
};
