/** Descriptions of platforms in German. Those that are not listed are described in English. */
export const platformTexts: Readonly<Record<string, string>> = {
  gnucash: 'Bücher von GnuCash 4 in SQLite, MariaDB oder MySQL. Sie werden nur gelesen.',
  redmine:
    'Redmine 5 über seine REST-API. Tickets sind je nach Tracker Arbeitsaufträge oder Störmeldungen; Projekte sind auch Standorte.',
  'request-tracker':
    'Request Tracker 5 über REST 2. Tickets der Queue General sind Störmeldungen, andere sind Arbeitsaufträge; Queues sind Standorte, Gruppen sind Teams.',
  s4hana:
    'Geschäftspartner von SAP S/4HANA über OData V2 (API_BUSINESS_PARTNER). Noch nicht am echten System erprobt, nur an einem Server, der dessen Beschreibung folgt.',
  sandbox:
    'Ein erdachtes Fertigungsunternehmen in den Tabellen eines alten ERP-Systems, in einer PostgreSQL-Datenbank.',
  tryton: 'Tryton 6.0 und ähnliche Versionen über JSON-RPC. Der Umfang hängt von den installierten Modulen ab.',
};
