import { AppError, cutText, defineErrors, formatNumber } from '@headwater/contract'

/** Errors of requests that no route can handle: invalid HTTP, broken limits and unreadable bodies. */
export const httpErrors = defineErrors({
  invalidHttp: {
    status: 400,
    message: () => 'The request is not valid HTTP. Check its headers and length.',
  },
  invalidUrl: {
    status: 400,
    message: () =>
      'The URL contains a % that does not begin an encoded UTF-8 character. Encode a percent sign as %25.',
  },
  invalidText: {
    status: 400,
    message: () =>
      'The request contains text that is not valid: bytes that are not UTF-8, an unpaired surrogate or a NUL character. Remove it.',
  },
  reservedName: {
    status: 400,
    message: () =>
      'The body has a member called __proto__, or constructor with a prototype, which is not allowed. Remove it.',
  },
  jsonTooDeep: {
    status: 400,
    message: ({ maxLevels }: { maxLevels: number }) =>
      `The JSON is nested more than ${maxLevels} levels deep. Send it with at most ${maxLevels} levels.`,
  },
  requestTimeout: {
    status: 408,
    message: () => 'The request took too long to arrive. Send it again, over a faster connection.',
  },
  jsonTooManyValues: {
    status: 413,
    message: ({ maxValues, maxMembers }: { maxValues: number; maxMembers: number }) =>
      `The JSON has more than ${formatNumber(maxValues)} values or ${formatNumber(maxMembers)} members of objects. Send fewer at a time, or upload them as a file.`,
  },
  contentTypeNotKnown: {
    status: 415,
    message: () => 'The body must be JSON. Send it with the header Content-Type: application/json.',
  },
  charsetNotKnown: {
    status: 415,
    message: ({ charset }: { charset: string }) =>
      `JSON must be in UTF-8, not in ${cutText(charset, 40)}. Send it in UTF-8.`,
  },
  headersTooLarge: {
    status: 431,
    message: () => 'The request headers are too large. Send fewer or shorter headers.',
  },
  tooManyConnections: {
    status: 503,
    message: ({ max }: { max: number }) =>
      `Your IP address has ${max} open unauthenticated connections, the maximum. Close some and try again.`,
  },
})

/** Returns the error for a request that the HTTP framework rejects with a status from 400 to 499. */
export function invalidRequest(status: number, reason: string): AppError {
  return new AppError(
    'invalidRequest',
    status,
    `${reason.replace(/\.?$/, '.')} Correct the request and send it again.`,
  )
}
