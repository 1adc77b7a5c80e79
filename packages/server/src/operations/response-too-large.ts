import { ServiceError } from '@unified/contract';

/** The error for a read whose response would have more bytes than the server allows. */
export class ResponseTooLarge extends ServiceError {
  readonly largestBytes: number;

  constructor(largestBytes: number) {
    const megabytes = `${largestBytes / 1_000_000} MB`;
    const message = `The response has more than ${megabytes}. Request fewer records with per_page, or expand fewer relations.`;
    super('SERVICE_RESPONSE_TOO_LARGE', message, { details: [{ largestBytes }] });
    this.largestBytes = largestBytes;
  }
}
