/** Names and descriptions of platforms in German, by id. What is not listed is shown in English. */
export const platformTexts: Readonly<Record<string, { readonly name?: string; readonly description: string }>> = {
  'business-central': {
    description:
      'Microsoft Dynamics 365 Business Central über seine API v2.0 (OData V4). Noch nicht am echten System erprobt, nur an einem Server, der dessen Dokumentation folgt.',
  },
  database: {
    name: 'Datenbank',
    description:
      'Eine eigene Datenbank in PostgreSQL, MySQL, MariaDB oder SQLite. Ihre Tabellen werden für jede Verbindung zugeordnet.',
  },
  erpnext: {
    description:
      'ERPNext 15 über die REST-API des Frappe-Frameworks. Noch nicht am echten System erprobt, nur an einem Server, der dessen Dokumentation folgt.',
  },
  gnucash: {
    description: 'Bücher von GnuCash 4 in SQLite, MariaDB oder MySQL. Sie werden nur gelesen.',
  },
  killbill: {
    description:
      'Kill Bill 0.22 über seine REST-API. Konten sind Kunden, Tarife des Katalogs sind Artikel, Abonnements sind Verträge.',
  },
  odoo: {
    description:
      'Odoo 19 über seine externe JSON-2-API, mit den Apps für Einkauf, Verkauf und Rechnungen. Noch nicht am echten System erprobt, nur an einem Server, der dessen Dokumentation folgt.',
  },
  'quickbooks-online': {
    description:
      'QuickBooks Online von Intuit über seine Buchhaltungs-API. Noch nicht am echten System erprobt, nur an einem Server, der dessen Dokumentation folgt.',
  },
  redmine: {
    description:
      'Redmine 5 über seine REST-API. Tickets sind je nach Tracker Arbeitsaufträge oder Störmeldungen; Projekte sind auch Standorte.',
  },
  'request-tracker': {
    description:
      'Request Tracker 5 über REST 2. Tickets der Queue General sind Störmeldungen, andere sind Arbeitsaufträge; Queues sind Standorte, Gruppen sind Teams.',
  },
  s4hana: {
    description:
      'Geschäftspartner von SAP S/4HANA über OData V2 (API_BUSINESS_PARTNER). Noch nicht am echten System erprobt, nur an einem Server, der dessen Beschreibung folgt.',
  },
  sandbox: {
    description:
      'Ein erdachtes Fertigungsunternehmen in den Tabellen eines alten ERP-Systems, in einer PostgreSQL-Datenbank.',
  },
  tryton: {
    description: 'Tryton 6.0 bis 8.2 über JSON-RPC. Der Umfang hängt von der Version und den installierten Modulen ab.',
  },
};
