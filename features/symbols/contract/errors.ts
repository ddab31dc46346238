import { defineErrors } from '@headwater/contract'

/** Errors of symbols and of the data query. */
export const symbolErrors = defineErrors({
  fileWithoutSymbols: {
    status: 404,
    message: ({ fid }: { fid: string }) =>
      `There is no ingested NCSV file with the id ${fid}. Only ingested NCSV files contain symbols.`,
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
      'The query selects no data. Add at least one entry to keys, or set groupName to read a whole group.',
    field: 'keys',
  },
  keyWithoutGroup: {
    status: 400,
    message: ({ index }: { index: number }) =>
      `keys[${index}] has no group. Set its groupName, or the groupName of the query.`,
  },
  patternWithoutFlag: {
    status: 400,
    message: ({ index, key }: { index: number; key: string }) =>
      `keys[${index}].symbols.${key} is “*”, which matches any value only with "pattern": true.`,
  },
  tooManySymbols: {
    status: 400,
    message: ({ limit }: { limit: number }) =>
      `The query selects more than ${limit} symbols. Narrow the query, or split it into several queries.`,
  },
  queryRefused: {
    status: 400,
    message: ({ message }: { message: string }) => message,
  },
  tooManyPatterns: {
    status: 400,
    message: ({ limit }: { limit: number }) =>
      `The query has more than ${limit} keys with “pattern” or without symbols. Merge some of them, or split the query.`,
    field: 'keys',
  },
  tooManyVariants: {
    status: 400,
    message: ({ count, limit }: { count: number; limit: number }) =>
      `The keys have ${count} different offsets and fills; at most ${limit} are allowed. Split the query.`,
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
      'This token does not belong to this query. Send it with the same query and user as the previous page, or omit it to start at the first page.',
    field: 'nextPageToken',
  },
  pagesGone: {
    status: 409,
    message: () =>
      'The data changed since the first page. Request the first page again, without nextPageToken.',
  },
  accessChanged: {
    status: 403,
    message: () =>
      'Your access to this data was limited while the response was sent. Send the query again to read what you can access now.',
  },
  noSuchHolidayCalendar: {
    status: 400,
    message: ({ name }: { name: string }) =>
      `There is no holiday calendar “${name}”. Use a name from GET /ts/holidayCalendar, for example GB-ENG or US-NY.`,
    field: 'holidayCalendar',
  },
  holidayCalendarNotFound: {
    status: 404,
    message: ({ name }: { name: string }) => `There is no holiday calendar “${name}”.`,
  },
  calendarIsShipped: {
    status: 409,
    message: ({ name }: { name: string }) =>
      `The calendar “${name}” is built in and cannot be changed. Choose another name for your calendar.`,
  },
  calendarNamedAlike: {
    status: 409,
    message: ({ name, known }: { name: string; known: string }) =>
      `There is already a calendar “${known}”. “${name}” differs only in case. Use the existing spelling, or choose another name.`,
  },
  tooManyStars: {
    status: 400,
    message: ({ count, limit }: { count: number; limit: number }) =>
      `The values of the keys have ${count} wildcards (*); at most ${limit} are allowed. Use fewer wildcards in a value, or split the query.`,
    field: 'keys',
  },
  dataRequestsNotAvailable: {
    status: 404,
    message: () => 'Access to data cannot be requested here. Ask an administrator directly.',
  },
  tooManyToCount: {
    status: 400,
    message: ({ size, limit }: { size: number; limit: number }) =>
      `Points are counted for at most ${limit} symbols at once, but the page has ${size}. Request a smaller page, or omit pointCount.`,
    field: 'pointCount',
  },
  seriesUnavailable: {
    status: 503,
    message: () => 'The series store is restarting. Try again in a few seconds.',
  },
  seriesStoreFull: {
    status: 507,
    message: () =>
      'The disk of the series store is full. Nothing was changed. Ask an administrator to free space, then try again.',
  },
})

/** Errors of formulas. */
export const formulaErrors = defineErrors({
  symbolExists: {
    status: 409,
    message: ({ symbol: text, groupName }: { symbol: string; groupName: string }) =>
      `The group “${groupName}” already has a symbol ${text}. Use other keys or values for the formula, or remove that symbol first.`,
    field: 'symbols',
  },
  formulaNotFound: {
    status: 404,
    message: ({ symbol: text, groupName }: { symbol: string; groupName: string }) =>
      `The group “${groupName}” has no formula ${text}.`,
  },
  tooManyFormulas: {
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `A group can have at most ${limit} formulas. Use another group, or remove some formulas.`,
    field: 'groupName',
  },
})

/** Errors of the removal of symbols. `first` is the first affected symbol as text. */
export const symbolRemovalErrors = defineErrors({
  symbolsNotFound: {
    status: 404,
    message: ({ groupName, count, first }: { groupName: string; count: number; first: string }) =>
      count === 1
        ? `The group “${groupName}” has no symbol ${first}. Nothing was removed.`
        : `The group “${groupName}” does not have ${count} of the symbols (the first is ${first}). Nothing was removed.`,
  },
  symbolsHavePoints: {
    status: 409,
    message: ({ count, first }: { count: number; first: string }) =>
      `${count === 1 ? `The symbol ${first} has` : `${count} symbols (the first is ${first}) have`} time series. Nothing was removed. To remove ${count === 1 ? 'it' : 'them'} anyway, select “Also remove time series”.`,
  },
})
