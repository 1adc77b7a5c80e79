import { ServiceError } from '@unified/contract';

/** Bytes of the statement, in UTF-8, before the position of an error; absent if the error concerns the whole statement. */
export type Location = number | undefined;

/** The error for a statement that is not MQL, or that PostgreSQL refuses: SERVICE_INVALID_QUERY. */
export function queryFault(message: string, location?: Location): ServiceError {
  const details = location === undefined || location < 0 ? [] : [{ position: location + 1 }];
  return new ServiceError('SERVICE_INVALID_QUERY', message, { details });
}
