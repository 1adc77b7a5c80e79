import type { Catalog } from './en.ts';

/** The texts of the authorization page in German. */
export const de: Catalog = {
  language: 'Deutsch',
  steps: ['Auswählen', 'Anmelden', 'Prüfen', 'Erlauben'],
  stepsLabel: 'Schritte',
  cancel: 'Abbrechen',
  back: 'Zurück',
  help: 'Hilfe',
  terms: 'Bedingungen',
  languages: 'Sprache',
  secured: (app) => `Ihr Kennwort wird verschlüsselt gespeichert. ${app} erhält es nicht.`,

  chooseTitle: 'Welches System verwenden Sie?',
  chooseLead: (app) =>
    `${app} arbeitet mit den Daten Ihres Geschäftssystems. Wählen Sie Ihres aus, um es zu verbinden.`,
  search: 'System suchen',
  find: 'Suchen',
  found: (count) => (count === 1 ? '1 System' : `${count} Systeme`),
  notFound: (text) => `Kein System entspricht „${text}“.`,
  showAll: 'Alle Systeme anzeigen',

  signInTitle: (system) => `Bei ${system} anmelden`,
  signInLead:
    'Geben Sie die Adresse Ihres Systems ein, und die Zugangsdaten eines Benutzers, der dessen Daten lesen darf. Die Verbindung wird geprüft, bevor etwas gespeichert wird.',
  again: (system) =>
    `Der Zugang zu ${system} muss erneuert werden. Melden Sie sich noch einmal an; Ihre Daten bleiben erhalten.`,
  example: (text) => `Zum Beispiel ${text}`,
  optional: 'freiwillig',
  more: 'Weitere Einstellungen',
  check: 'Verbindung prüfen',
  correct: 'Bitte korrigieren Sie Ihre Angaben',
  isMissing: 'Geben Sie einen Wert ein.',
  isWrong: 'Prüfen Sie diesen Wert.',
  enterAgain: 'Geben Sie es erneut ein. Zu Ihrem Schutz wird es nicht angezeigt.',
  otherSystem: 'Das ist ein anderes System. Der Zugang kann nur für dasselbe System erneuert werden.',

  checkTitle: (system) => `Die Verbindung zu ${system} wird geprüft`,
  checkFailedTitle: (system) => `${system} konnte nicht verbunden werden`,
  checkLead: 'Das dauert meist weniger als eine Minute. In Ihrem System wird nichts verändert.',
  reach: 'System erreichen',
  authenticate: 'Anmelden',
  read: 'Daten lesen',
  preview: 'Vorschau laden',
  progress: (done, total) => `${done} von ${total} Tabellen`,
  isDone: 'erledigt',
  isActive: 'läuft',
  isOpen: 'offen',
  hasFailed: 'fehlgeschlagen',
  systemSays: 'Meldung des Systems',
  unreadable: (count) =>
    count === 1 ? 'Eine Tabelle kann nicht gelesen werden' : `${count} Tabellen können nicht gelesen werden`,
  missingRight: 'Der Benutzer darf sie nicht lesen. Bitten Sie Ihren Administrator um das Leserecht.',
  missingTable:
    'Das System hat diese Tabelle nicht, oder ein Teil davon fehlt. Prüfen Sie die Version und die Module Ihres Systems.',
  change: 'Angaben ändern',
  retry: 'Erneut prüfen',
  refresh: 'Aktualisieren',
  interrupted: 'Die Prüfung wurde unterbrochen. Starten Sie sie erneut.',
  tooMany: 'Die Verbindung wurde zu oft geprüft. Kehren Sie zur Anwendung zurück und beginnen Sie erneut.',

  failures: {
    'no-public-address': [
      'Kein öffentlicher Rechner hat diese Adresse',
      'Prüfen Sie sie auf Tippfehler. Das System muss aus dem Internet erreichbar sein; bitten Sie sonst den Support, seine Adresse zuzulassen.',
    ],
    refused: ['Der Rechner lehnt die Verbindung ab', 'Prüfen Sie den Port, und ob das System läuft.'],
    'no-response': [
      'Der Rechner antwortet nicht',
      'Prüfen Sie die Adresse, und ob Ihre Firewall Verbindungen aus dem Internet zulässt.',
    ],
    closed: [
      'Der Rechner hat die Verbindung beendet',
      'Prüfen Sie, ob Adresse und Port zu diesem System gehören, und ob es Verschlüsselung verlangt.',
    ],
    certificate: [
      'Das Zertifikat des Rechners ist nicht vertrauenswürdig',
      'Es ist abgelaufen, für einen anderen Namen ausgestellt oder nicht von einer bekannten Stelle signiert. Bitten Sie Ihren Administrator um ein gültiges Zertifikat.',
    ],
    credentials: [
      'Das System lehnt Benutzername oder Kennwort ab',
      'Prüfen Sie beides. Groß- und Kleinschreibung werden unterschieden.',
    ],
    rights: [
      'Der Benutzer hat zu wenige Rechte',
      'Bitten Sie Ihren Administrator, dem Benutzer das Recht zum Lesen der Daten zu geben.',
    ],
    throttled: [
      'Das System nimmt zurzeit keine weiteren Aufrufe an',
      'Prüfen Sie erneut, wenn es wieder Aufrufe annimmt: je nach System in einigen Minuten oder Stunden.',
    ],
    'not-this-system': [
      'Diese Adresse gehört zu etwas anderem',
      'Prüfen Sie, ob es die Adresse des gewählten Systems ist.',
    ],
    unavailable: [
      'Das System ist nicht verfügbar',
      'Prüfen Sie die Adresse, und ob das System läuft. Prüfen Sie dann erneut.',
    ],
    other: [
      'Das System lehnt die Anfrage ab',
      'Prüfen Sie Ihre Angaben, oder wenden Sie sich mit der folgenden Meldung an den Support.',
    ],
  },

  allowTitle: (app, system) => `Darf ${app} auf ${system} zugreifen?`,
  allowLead: 'Die Verbindung funktioniert. Das kann die Anwendung damit tun.',
  accepted: 'Verbindung geprüft',
  canRead: 'Lesen',
  canWrite: 'Anlegen und ändern',
  nothing: 'nichts',
  entities: (count) => (count === 1 ? '1 Art von Datensätzen' : `${count} Arten von Datensätzen`),
  previewTitle: 'Erste Datensätze Ihres Systems',
  code: 'Nummer',
  name: 'Name',
  connectedAlready: (app) => `${app} ist bereits mit diesem System verbunden.`,
  connectAgain: 'Ein zweites Mal verbinden, als eigene Verbindung',
  connectAgainMissing: 'Kreuzen Sie dieses Feld an, um dasselbe System erneut zu verbinden, oder brechen Sie ab.',
  copied: (app) => `Die Daten werden kopiert und aktuell gehalten, bis Sie oder ${app} die Verbindung beenden.`,
  allow: 'Erlauben',
  renew: 'Zugang erneuern',

  agentTitle: (agent) => `„${agent}“ erlauben, für Sie zu handeln?`,
  agentLead: (agent) =>
    `„${agent}“ kann dann mit den Werkzeugen, die Ihre Rolle erlaubt, Daten Ihres Unternehmens lesen und ändern, bis Ihr Token widerrufen wird.`,
  agentFrom: (agent, site) => `„${agent}“ wird von ${site} beschrieben.`,
  agentReturns: (host) => `Sie kehren zu ${host} zurück.`,
  agentOnThisComputer:
    'Sie kehren zu einem Programm auf diesem Computer zurück. Fahren Sie nur fort, wenn Sie es selbst gestartet haben.',
  personalAccessToken: 'Persönliches Zugriffstoken',
  tokenHint: (agent) => `Es beginnt mit pat_; Ihr Administrator erstellt es. „${agent}“ erhält es nie.`,
  tokenRefused: 'Dieses Token ist unbekannt, abgelaufen oder widerrufen.',

  setupTitle: (app) => `Ihr System mit ${app} verbinden`,
  setupLead: (app) => `${app} bittet Sie, ein Geschäftssystem zu verbinden. Das dauert einige Minuten.`,
  setupStart: 'Beginnen',
  endedTitle: 'Diese Seite ist abgelaufen',
  ended:
    'Die Freigabe wurde abgeschlossen, abgebrochen oder ist abgelaufen. Kehren Sie zur Anwendung zurück, und beginnen Sie bei Bedarf erneut.',
  foreign:
    'Diese Seite gehört zu einem anderen Browser, oder seine Cookies wurden gelöscht. Kehren Sie zur Anwendung zurück, und beginnen Sie dort erneut.',
  forged: 'Die Anfrage kam nicht von dieser Seite. Gehen Sie zurück, und versuchen Sie es erneut.',
  openingTitle: 'Wird geladen',
  needsScript: 'Diese Seite benötigt JavaScript.',
  connectedTitle: 'Verbunden',
  connected: (app) => `${app} hat jetzt Zugang zu Ihrem System. Sie können dieses Fenster schließen.`,
  closedTitle: 'Zurzeit nicht verfügbar',
  closed: 'Zurzeit können keine Systeme verbunden werden. Versuchen Sie es später erneut.',
  unframedTitle: 'Diese Seite ist Teil einer anderen',
  unframed:
    'Sie kann nur in der Anwendung geöffnet werden, aus der Sie kommen. Kehren Sie dorthin zurück, und beginnen Sie erneut.',
  limitedTitle: 'Zu viele Anfragen',
  limited: 'Warten Sie eine Minute, und versuchen Sie es dann erneut.',
  brokenTitle: 'Etwas ist schiefgegangen',
  broken: 'Der Dienst kann die Anfrage gerade nicht ausführen. Versuchen Sie es in einigen Minuten erneut.',
  missingTitle: 'Hier ist nichts',
  refusedTitle: 'Dieser Link funktioniert nicht',
  refusedLead:
    'Die Anwendung, die Sie hierher geschickt hat, hat einen Fehler gemacht. Es wurde nichts verbunden. Bitte informieren Sie ihren Support.',
  unknownClient: 'Die Anwendung ist unbekannt (client_id).',
  unknownRedirect: 'Die Rücksprungadresse ist für diese Anwendung nicht registriert (redirect_uri).',
  invalidRequest: (fault) => `Die Anfrage ist nicht gültig: ${fault}`,
};
