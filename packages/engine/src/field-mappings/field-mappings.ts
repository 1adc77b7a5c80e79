import type { CustomStream } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import {
  type ApplicationScope,
  activateRevision,
  addRevision,
  auditedInScope,
  customStreamsOf,
  type FieldMappingRevision,
  fieldMappingRevision,
  newestRevision,
  pageOfRevisions,
} from '@unified/store';
import { candidateModel, changeOf, type SentMapping } from './candidate.ts';
import { replaceStreams } from './custom-streams.ts';
import { type DraftedMapping, draftOf } from './draft.ts';
import { type ChangingParts, type MappedConnection, mappedConnection } from './mapped-connection.ts';
import { type MappingPreview, previewOf } from './preview.ts';
import { activeRevisionOf, platformRevision, type ShownMapping, shownMapping, streamsToRead } from './shown-mapping.ts';
import { type SourceTablePage, type SourceTableQuery, sourceTables } from './source-tables.ts';
import { type MappedRow, testFetch } from './test-fetch.ts';

/** A mapping to save. */
export interface NewMapping extends SentMapping {
  /** Newest revision that the editor has read; defaults to the newest one when the request arrived. */
  readonly basedOn?: number | undefined;
  readonly note?: string | undefined;
  readonly activate?: boolean | undefined;
}

/** A mapping to try with up to `limit` rows. */
export interface TriedMapping extends SentMapping {
  readonly limit: number;
}

/**
 * The mappings of the connections of one application. All functions throw SERVICE_NOT_FOUND for a connection that the
 * application does not have, and SERVICE_PLATFORM_BROKEN. Mappings that cannot be used are refused with SERVICE_INVALID_BODY
 * and all problems. Functions that call the connected system also throw SERVICE_CONNECTION_INACTIVE and the errors of the
 * system.
 */
export interface FieldMappings {
  active(id: string, entity: string): Promise<ShownMapping>;
  /** Newest first; the last one is revision 0. One more than `limit` if there are more. */
  revisions(id: string, entity: string, page: { before?: number | undefined; limit: number }): Promise<ShownMapping[]>;
  /** Throws SERVICE_CONFLICT when there is a newer revision than the one it is based on. */
  save(id: string, entity: string, mapping: NewMapping, createdBy: string | null): Promise<ShownMapping>;
  /** Checks a mapping of a stream that is to be added, like `save`, and stores nothing. */
  check(id: string, entity: string, mapping: SentMapping, stream: CustomStream): Promise<void>;
  /** Throws SERVICE_NOT_FOUND when there is no such revision. */
  activate(id: string, entity: string, revision: number): Promise<ShownMapping>;
  customStreams(id: string): Promise<readonly CustomStream[]>;
  /** Throws SERVICE_UNAVAILABLE while records are being derived. */
  replaceCustomStreams(id: string, streams: readonly CustomStream[]): Promise<readonly CustomStream[]>;
  testFetch(id: string, entity: string, mapping: TriedMapping): Promise<MappedRow[]>;
  preview(id: string, entity: string, mapping: TriedMapping): Promise<MappingPreview>;
  sourceTables(id: string, query: SourceTableQuery): Promise<SourceTablePage>;
  /** Throws SERVICE_NOT_FOUND when the system has no such table. */
  draft(id: string, entity: string, table: string): Promise<DraftedMapping>;
}

/** The mappings of the connections of an application. */
export function fieldMappings(parts: ChangingParts, application: ApplicationScope): FieldMappings {
  const { store } = parts;
  const mapped = (id: string) => mappedConnection(parts, application, id);
  const shownActive = async (id: string, entity: string) => {
    const current = await mapped(id);
    return shownMapping(store, current, await revisionOf(current, entity, activeRevisionOf(current, entity)));
  };
  return {
    active: shownActive,
    async revisions(id, entity, { before, limit }) {
      const current = await mapped(id);
      const saved = await pageOfRevisions(current.scope, { entity, before, limit });
      const isLast = saved.length < limit && (before === undefined || before > 0);
      const page = isLast ? [...saved, platformRevision(current, entity)] : saved;
      return Promise.all(page.map((each) => shownMapping(store, current, each)));
    },
    async save(id, entity, { basedOn, note = null, activate = false, ...sent }, createdBy) {
      const scope = store.scope({ applicationId: application.applicationId, connectionId: id });
      // Read first: if two requests overlap, one must not replace what the other has saved.
      const base = basedOn ?? (await newestRevision(scope, entity));
      const current = await mapped(id);
      const change = changeOf(current, entity, sent);
      await candidateModel(parts, current, entity, change);
      const made = await auditedInScope(scope, parts.origin, async (inner, record) => {
        const added = await addRevision(inner, { entity, change, note, createdBy }, base);
        if (!added) throw newerRevision(await newestRevision(inner, entity));
        if (activate) await activateRevision(inner, entity, added.revision);
        const after = { connectionId: id, entity, revision: added.revision, active: activate, note };
        await record({ action: 'field_mapping.save', target: id, after });
        return added;
      });
      if (activate) await followUp(parts, current, id, entity);
      return shownMapping(store, await mapped(id), made);
    },
    async check(id, entity, sent, stream) {
      const current = await mapped(id);
      const changes = { ...current.changes, custom: [...current.changes.custom, stream] };
      const extended = { ...current, changes, model: current.changed(changes) };
      await candidateModel(parts, extended, entity, changeOf(extended, entity, sent));
    },
    async activate(id, entity, revision) {
      const current = await mapped(id);
      await revisionOf(current, entity, revision);
      const { scope } = current;
      const of = (active: number) => ({ connectionId: id, entity, revision: active, active: true });
      await auditedInScope(scope, parts.origin, async (inner, record) => {
        const before = await activateRevision(inner, entity, revision);
        await record({ action: 'field_mapping.activate', target: id, before: of(before), after: of(revision) });
      });
      await followUp(parts, current, id, entity);
      return shownActive(id, entity);
    },
    async customStreams(id) {
      return customStreamsOf((await mapped(id)).scope);
    },
    replaceCustomStreams: async (id, streams) => replaceStreams(parts, await mapped(id), streams),
    testFetch: async (id, entity, { limit, ...sent }) => testFetch(parts, await mapped(id), entity, { sent, limit }),
    preview: async (id, entity, { limit, ...sent }) => previewOf(parts, await mapped(id), entity, { sent, limit }),
    sourceTables: async (id, query) => sourceTables(parts, await mapped(id), query),
    draft: async (id, entity, table) => draftOf(parts, await mapped(id), entity, table),
  };

  /** Derives the records again, and reads columns that have not been copied yet. */
  async function followUp(
    { jobs }: ChangingParts,
    before: MappedConnection,
    id: string,
    entity: string,
  ): Promise<void> {
    await jobs.requestDerivation(id);
    const after = await mapped(id);
    const stream = after.model.mappings[entity]?.stream;
    const toRead = streamsToRead(before.model, after.model).filter((name) => name === stream);
    if (toRead.length > 0) await jobs.requestSync(id, 'full', toRead);
  }
}

/** Throws SERVICE_NOT_FOUND. */
async function revisionOf(mapped: MappedConnection, entity: string, revision: number): Promise<FieldMappingRevision> {
  if (revision === 0) return platformRevision(mapped, entity);
  const found = await fieldMappingRevision(mapped.scope, entity, revision);
  if (found) return found;
  const newest = await newestRevision(mapped.scope, entity);
  const message = `The connection has no revision ${revision} of ${entity}; the newest one is ${newest}.`;
  throw new ServiceError('SERVICE_NOT_FOUND', message);
}

function newerRevision(newest: number): ServiceError {
  const message = `Revision ${newest} was saved in the meantime. Read it, and save your changes with basedOn: ${newest}.`;
  return new ServiceError('SERVICE_CONFLICT', message, { details: { newestRevision: newest } });
}
