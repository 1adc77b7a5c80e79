// Type tests: `tsc` checks this file, and each `@ts-expect-error` is an error if the next line compiles.
import type {
  ConventionalId,
  CredentialIn,
  components,
  Handler,
  OperationIdIn,
  OwnHandlers,
  Request,
  RequestOf,
  Response,
  ResponseOf,
} from '../src/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<_Claim extends true>(): void {}

interface Contexts {
  readonly console: { readonly operatorId: string };
  readonly data: { readonly connectionId: string };
  readonly management: { readonly applicationId: string };
  readonly mcp: { readonly userId: string };
  readonly oauth: { readonly issuer: string };
  readonly system: { readonly uptime: number };
}
type Context = Contexts['data'];
type Vendor = components['schemas']['Vendor'];
type VendorInput = components['schemas']['VendorInput'];
type VendorPatch = components['schemas']['VendorPatch'];

// Bodies: a create must contain the required properties, an update may omit them, and neither accepts others.
holds<Same<VendorInput['name'], string>>();
holds<Same<VendorPatch['name'], string | undefined>>();
holds<Same<VendorInput['legalName'], string | null | undefined>>();
holds<Same<Vendor['terms'], string>>();
// @ts-expect-error a create needs a name
const nameless: VendorInput = { terms: 'Net 30' };
// @ts-expect-error the id is not writable
const identified: VendorInput = { name: 'ACME', id: '1' };
void [nameless, identified];

// Requests have exactly the parameters and bodies of the document.
holds<Same<Request<'getVendor'>['path']['id'], string>>();
holds<Same<Request<'listVendors'>['query']['per_page'], number | undefined>>();
holds<Same<Request<'createVendor'>['headers']['Idempotency-Key'], string | undefined>>();
holds<Same<Request<'createVendor'>['body'], VendorInput>>();
holds<Same<Request<'getVendor'>['body'], undefined>>();
holds<Same<keyof Request<'getHealth'>['path'], never>>();

// Responses are the documented successes, as an object or as rendered JSON.
const object: Response<'getHealth'> = { status: 200, body: { status: 'ok', version: '1.0.0', apiVersion: '4.0.0' } };
const text: Response<'listVendors'> = { status: 200, body: { json: '{"meta":{},"data":[]}' } };
const headed: Response<'getHealth'> = { status: 200, headers: { 'Cache-Control': 'no-store' }, body: object.body };
// @ts-expect-error 204 is not documented
const undocumented: Response<'getHealth'> = { status: 204 };
// @ts-expect-error the version is missing
const incomplete: Response<'getHealth'> = { status: 200, body: { status: 'ok' } };
void [object, text, headed, undocumented, incomplete];

// Other media types: the response names the type; a redirect has no body; forms and optional bodies are typed.
interface Authorize {
  parameters: { query: { state: string }; header?: never; path?: never; cookie?: never };
  requestBody?: { content: { 'application/x-www-form-urlencoded': { user: string } } };
  responses: {
    200: { headers: Record<string, unknown>; content: { 'text/html': string } };
    302: { headers: Record<string, unknown>; content?: never };
    default: { headers: Record<string, unknown>; content: { 'application/json': { code: string } } };
  };
}
const page: ResponseOf<Authorize> = { status: 200, type: 'text/html', body: '<p>' };
const redirect: ResponseOf<Authorize> = { status: 302, headers: { Location: 'https://example.com' } };
// @ts-expect-error errors are thrown, not returned
const failed: ResponseOf<Authorize> = { status: 400, body: { code: 'x' } };
const bytes: AsyncIterable<Uint8Array> = (async function* () {})();
const file: Response<'getAttachment'> = { status: 200, type: 'image/png', body: bytes };
const part: Response<'getAttachment'> = { status: 206, type: 'image/png', body: bytes };
// @ts-expect-error a file is a stream of bytes
const gathered: Response<'getAttachment'> = { status: 200, type: 'image/png', body: new Uint8Array() };
void [file, part, gathered];
holds<Same<RequestOf<Authorize>['body'], { user: string } | undefined>>();
holds<Same<RequestOf<Authorize>['query']['state'], string>>();
void [page, redirect, failed];

// Completeness: conventional operations need no handler, all others need exactly theirs.
holds<
  Same<
    Extract<ConventionalId, 'listVendors' | 'getVendor' | 'createVendor' | 'getHealth' | 'listClients'>,
    'listVendors' | 'getVendor' | 'createVendor'
  >
>();

// Who may call what: the surface and the credentials of an operation are types.
holds<Same<Extract<OperationIdIn<'system'>, 'getHealth' | 'listVendors' | 'listPandas'>, 'getHealth'>>();
holds<Same<CredentialIn<'mcp'>, 'personalAccessToken'>>();
holds<Same<CredentialIn<'data'>, 'connectionToken'>>();
holds<Same<CredentialIn<'system'>, never>>();

declare const others: Omit<OwnHandlers<Contexts>, 'data' | 'system'>;
declare const data: OwnHandlers<Contexts>['data'];
const getHealth: Handler<'getHealth', Contexts['system']> = async () => ({
  status: 200,
  body: { status: 'ok', version: '1', apiVersion: '4' },
});
const system = { getHealth };

void ({ ...others, data, system } satisfies OwnHandlers<Contexts>);
// A specific handler may replace a conventional one.
const getVendor: Handler<'getVendor', Context> = async () => ({ status: 200, body: { json: '{}' } });
void ({ ...others, data: { ...data, getVendor }, system } satisfies OwnHandlers<Contexts>);
// @ts-expect-error the handler of getHealth is missing
void ({ ...others, data, system: {} } satisfies OwnHandlers<Contexts>);
// @ts-expect-error the document has no such operation
void ({ ...others, data: { ...data, getWeather: getHealth }, system } satisfies OwnHandlers<Contexts>);
// @ts-expect-error getVendor is an operation of another surface
void ({ ...others, data, system: { getHealth, getVendor } } satisfies OwnHandlers<Contexts>);
const ill = async () => ({ status: 200, body: { status: 'ill', version: '1' } }) as const;
// @ts-expect-error this responds with the wrong body
void ({ ...others, data, system: { getHealth: ill } } satisfies OwnHandlers<Contexts>);
declare const reachesUptime: Handler<'getVendor', Contexts['system']>;
// @ts-expect-error this expects the context of another surface
void ({ ...others, data: { ...data, getVendor: reachesUptime }, system } satisfies OwnHandlers<Contexts>);
