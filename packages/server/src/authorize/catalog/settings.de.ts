/** Title and description of a setting; absent ones default to those of the platform. */
interface SettingTexts {
  readonly title: string;
  readonly description?: string;
}

/** The settings that end users enter, by platform and name, in German. Those that are not listed are shown in English. */
export const settingTexts: Readonly<Record<string, Readonly<Record<string, SettingTexts>>>> = {
  'business-central': {
    url: { title: 'Adresse', description: 'Adresse der API mit Mandant und Umgebung, bis api/v2.0.' },
    company: { title: 'Unternehmens-ID', description: 'ID des Unternehmens, wie unter /companies aufgeführt.' },
    tokenUrl: {
      title: 'Adresse für Tokens',
      description: 'Adresse von Microsoft Entra ID, die Tokens für den Mandanten ausstellt.',
    },
    clientId: { title: 'Client-ID', description: 'Anwendungs-ID (Client-ID) der registrierten Anwendung.' },
    clientSecret: { title: 'Client-Secret', description: 'Client-Secret der Anwendung.' },
    scope: { title: 'Scope', description: 'Scope des Tokens.' },
    user: { title: 'Benutzer', description: 'Benutzer einer lokalen Installation, anstelle einer Anwendung.' },
    password: { title: 'Webdienst-Schlüssel', description: 'Zugriffsschlüssel des Benutzers für Webdienste.' },
  },
  database: {
    url: {
      title: 'Verbindungszeichenfolge',
      description: 'Adresse der Datenbank mit einer Anmeldung, die sie lesen kann, oder Pfad der Datei.',
    },
    schema: { title: 'Schema', description: 'Schema der Tabellen, die ohne Schema angegeben sind.' },
  },
  erpnext: {
    url: { title: 'Adresse', description: 'Adresse der Website.' },
    apiKey: {
      title: 'API-Schlüssel',
      description: 'API-Schlüssel eines Benutzers, unter „API-Zugang“ in dessen Einstellungen.',
    },
    apiSecret: { title: 'API-Secret', description: 'API-Secret des Benutzers.' },
  },
  gnucash: {
    url: { title: 'Buch', description: 'Adresse der Datenbank, oder Pfad der Datei.' },
  },
  killbill: {
    url: { title: 'Adresse', description: 'Adresse des Servers, ohne /1.0/kb.' },
    user: {
      title: 'Benutzer',
      description: 'Benutzer, der alle Aufrufe ausführt; er wird im Audit-Protokoll festgehalten.',
    },
    password: { title: 'Kennwort', description: 'Kennwort des Benutzers.' },
    apiKey: { title: 'API-Schlüssel', description: 'API-Schlüssel des Mandanten.' },
    apiSecret: { title: 'API-Secret', description: 'API-Secret des Mandanten.' },
  },
  odoo: {
    url: { title: 'Adresse', description: 'Adresse des Servers.' },
    database: { title: 'Datenbank', description: 'Name der Datenbank, wenn der Server mehrere hat.' },
    token: {
      title: 'API-Schlüssel',
      description:
        'API-Schlüssel eines Benutzers, unter „Kontosicherheit“ in dessen Einstellungen. Er gilt höchstens drei Monate.',
    },
  },
  'quickbooks-online': {
    clientId: {
      title: 'Client-ID',
      description: 'Client-ID der App, unter „Keys and credentials“ auf developer.intuit.com.',
    },
    clientSecret: { title: 'Client-Secret', description: 'Client-Secret der App.' },
    company: { title: 'Unternehmens-ID', description: 'ID des Unternehmens (realm ID).' },
    refreshToken: {
      title: 'Refresh-Token',
      description:
        'Refresh-Token, das ein Benutzer des Unternehmens der App erteilt hat, mit dem Scope com.intuit.quickbooks.accounting.',
    },
    environment: {
      title: 'Umgebung',
      description: 'Ob das Unternehmen ein echtes ist (production) oder für Tests dient (sandbox).',
    },
    url: { title: 'Adresse', description: 'Adresse der API, wenn es nicht die von Intuit ist.' },
    tokenUrl: {
      title: 'Adresse für Tokens',
      description: 'Adresse, die Tokens ausstellt, wenn es nicht die von Intuit ist.',
    },
  },
  redmine: {
    url: { title: 'Adresse', description: 'Adresse der Startseite von Redmine.' },
    token: {
      title: 'API-Schlüssel',
      description: 'API-Schlüssel eines Administrators; Redmine zeigt ihn unter „Mein Konto“.',
    },
  },
  'request-tracker': {
    url: { title: 'Adresse', description: 'Adresse der Startseite von Request Tracker.' },
    token: {
      title: 'Token',
      description:
        'Token eines Benutzers, der alle Tickets, Anlagen und Benutzer sehen kann; Request Tracker erstellt es unter Einstellungen, Authentifizierungs-Token.',
    },
  },
  sandbox: {
    url: {
      title: 'Verbindungszeichenfolge',
      description:
        'Adresse der Datenbank mit Benutzer und Kennwort. In sandbox.json des Datenverzeichnisses: database.url.',
    },
    schema: {
      title: 'Schema',
      description:
        'Schema der Tabellen; ohne Angabe „erp“. Die Sandbox, die npm start anlegt, hat das Schema „company“.',
    },
  },
  s4hana: {
    url: { title: 'Adresse', description: 'Adresse des Dienstes API_BUSINESS_PARTNER.' },
    user: { title: 'Benutzer', description: 'Kommunikationsbenutzer, für die Anmeldung mit Kennwort.' },
    password: { title: 'Kennwort', description: 'Kennwort des Benutzers.' },
    tokenUrl: {
      title: 'Adresse für Tokens',
      description: 'Adresse, die Tokens ausstellt, für OAuth 2.0 Client Credentials anstelle eines Benutzers.',
    },
    clientId: { title: 'Client-ID', description: 'Client-ID der Anwendung.' },
    clientSecret: { title: 'Client-Secret', description: 'Client-Secret der Anwendung.' },
    scope: { title: 'Scope', description: 'Scope des Tokens, wenn das System einen verlangt.' },
    client: { title: 'SAP-Mandant', description: 'Mandant des Systems, wenn es nicht der Standardmandant ist.' },
  },
  tryton: {
    url: { title: 'Adresse', description: 'Adresse des Servers, ohne den Namen der Datenbank.' },
    database: { title: 'Datenbank', description: 'Name der Datenbank.' },
    user: {
      title: 'Benutzer',
      description:
        'Anmeldename des Benutzers, der alle Aufrufe ausführt. Datensätze werden in dessen Unternehmen gelesen und angelegt.',
    },
    password: { title: 'Kennwort', description: 'Kennwort des Benutzers.' },
  },
};
