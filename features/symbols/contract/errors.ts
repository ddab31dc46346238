import { defineErrors } from '@headwater/contract'

/** Errors of symbols and of the data query. */
export const symbolErrors = defineErrors({
  fileWithoutSymbols: {
    status: 404,
    message: ({ fid }: { fid: string }) =>
      `No ingested NCSV file with the id ${fid} is there. Only NCSV files that were ingested hold symbols.`,
  },
  noSuchTimeZone: {
    status: 400,
    message: ({ timeZone }: { timeZone: string }) =>
      `“${timeZone}” is not a time zone. Use an IANA name such as Europe/London, or UTC.`,
    field: 'timeZone',
  },
  noKeys: {
    status: 400,
    message: () =>
      'The query names no data. Give at least one entry in keys, or a groupName for a whole group.',
    field: 'keys',
  },
  keyWithoutGroup: {
    status: 400,
    message: ({ index }: { index: number }) =>
      `keys[${index}] names no group. Give it a groupName, or one for the whole query.`,
  },
  patternWithoutFlag: {
    status: 400,
    message: ({ index, key }: { index: number; key: string }) =>
      `keys[${index}].symbols.${key} is “*”, which stands for any value only together with "pattern": true.`,
  },
  tooManySymbols: {
    status: 400,
    message: ({ limit }: { limit: number }) =>
      `The query selects more than ${limit} symbols. Narrow it, or ask for them in several queries.`,
  },
  questionRefused: {
    status: 400,
    message: ({ message }: { message: string }) => message,
  },
  tooManyPatterns: {
    status: 400,
    message: ({ limit }: { limit: number }) =>
      `The query has more than ${limit} keys with “pattern” or without symbols. Merge some of them, or ask in several queries.`,
    field: 'keys',
  },
  tooManyVariants: {
    status: 400,
    message: ({ count, limit }: { count: number; limit: number }) =>
      `The keys have ${count} different offsets and fills; at most ${limit} are allowed. Ask in several queries.`,
    field: 'keys',
  },
  lookupTooSlow: {
    status: 400,
    message: ({ seconds }: { seconds: number }) =>
      `Finding the symbols took longer than ${seconds} s. Narrow the search, for example to one group or to fewer keys.`,
  },
  pageTokenNotValid: {
    status: 400,
    message: () =>
      'This token does not belong to this query. Send it with the same query and user as the previous page, or leave it out to start at the first page.',
    field: 'nextPageToken',
  },
  pagesGone: {
    status: 409,
    message: () =>
      'The data of these pages were changed since the first one, by something deleted or a new kind of column. Ask for the first page again, without nextPageToken.',
  },
  noSuchHolidayCalendar: {
    status: 400,
    message: ({ name }: { name: string }) =>
      `There is no holiday calendar “${name}”. GET /ts/holidayCalendar lists them; GB-ENG and US-NY are some.`,
    field: 'holidayCalendar',
  },
  holidayCalendarNotFound: {
    status: 404,
    message: ({ name }: { name: string }) => `There is no holiday calendar “${name}”.`,
  },
  calendarIsShipped: {
    status: 409,
    message: ({ name }: { name: string }) =>
      `The calendar “${name}” comes with the product and stays as it is. Choose another name for your own.`,
  },
  calendarNamedAlike: {
    status: 409,
    message: ({ name, known }: { name: string; known: string }) =>
      `There is a calendar “${known}”, and names differ by more than the case of their letters. Save it under that name, or choose another than “${name}”.`,
  },
  tooManyStars: {
    status: 400,
    message: ({ count, limit }: { count: number; limit: number }) =>
      `The values of the keys have ${count} stars; at most ${limit} are allowed. Use fewer stars in a value, or ask in several queries.`,
    field: 'keys',
  },
  dataRequestsNotAvailable: {
    status: 404,
    message: () => 'Access to data cannot be requested here. Ask an administrator directly.',
  },
  tooManyToCount: {
    status: 400,
    message: ({ size, limit }: { size: number; limit: number }) =>
      `Points are counted for at most ${limit} symbols at once, and the page has ${size}. Ask for a smaller page, or leave pointCount out.`,
    field: 'pointCount',
  },
  seriesUnavailable: {
    status: 503,
    message: () => 'The series store is restarting. Try again in a few seconds.',
  },
})
