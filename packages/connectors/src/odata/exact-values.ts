/** How decimals and Int64 are sent: JSON numbers, whose digits some services lose, or strings. */
export type NumberForm = 'numbers' | 'strings';

/** A decimal or Int64 with all its digits, in a form that `jsonOf` determines. */
export class ExactNumber {
  /** Without an exponent: `-12.50`. */
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }
}

/** Whether the body of a request contains an `ExactNumber`. */
export function hasExactNumbers(body: unknown): boolean {
  if (body instanceof ExactNumber) return true;
  return typeof body === 'object' && body !== null && Object.values(body).some(hasExactNumbers);
}

/** A body as JSON. As a number, an `ExactNumber` has all its digits as well. */
export function jsonOf(body: unknown, form: NumberForm): string {
  return JSON.stringify(body, (_name, value: unknown) => {
    if (!(value instanceof ExactNumber)) return value;
    return form === 'strings' ? value.digits : rawJson(value.digits);
  });
}

/** TypeScript does not declare it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** JSON numbers have no plus sign and no leading zeros. */
function rawJson(digits: string): unknown {
  return rawJSON(digits.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1'));
}

/**
 * The form in which a service takes these values. The standard (OData JSON Format, 4.1) requires a service that returns them as
 * strings to state so in the content type of its responses. A service that does not state it takes them only as numbers.
 */
export class NumberForms {
  readonly #declared: NumberForm | undefined;
  #stated: NumberForm | undefined;

  /** `declared` is what the platform states, whatever the service does. */
  constructor(declared: NumberForm | undefined) {
    this.#declared = declared;
  }

  /** Undefined until the service has returned an entity or a list. */
  get current(): NumberForm | undefined {
    return this.#declared ?? this.#stated;
  }

  /** Notes the content type of a response to a request for strings. */
  note(contentType: string | undefined): void {
    if (/;\s*IEEE754Compatible=true/i.test(contentType ?? '')) this.#stated = 'strings';
    this.#stated ??= 'numbers';
  }
}
