/** Refresh intervals and other times in milliseconds. */
export const intervals = {
  /** Refresh of status details and status lists. */
  statusMs: 5000,
  /** Refresh of the status list in the mobile layout. */
  mobileStatusMs: 60_000,
  /** Refresh of lists. */
  listMs: 10_000,
  /** Refresh of pipeline details and versions. */
  pipelineDetailsMs: 30_000,
  /** Refresh of pipeline triggers. */
  triggerLookupMs: 600_000,
  /** Refresh of favourites. */
  favouritesMs: 20_000,
  /** Refresh of the statuses of recent items. */
  recentStatusMs: 50_000,
  /** Time after which an unfinished status is no longer refreshed. */
  unfinishedStatusStopMs: 30_000,
  /** Time after which a response is stale. */
  staleMs: 3000,
  /** Delay before a query is retried, if it is retried at all. */
  retryDelayMs: 3000,
  /** Time for which a provider stays limited. */
  limitedMs: 120_000,
  toastMs: 30_000,
  messageMs: 5000,
  clockMs: 1000,
  sidebarHoverMs: 1500,
} as const

/** Page size of each kind of list. */
export const pageSizes = {
  /** Lists that load more rows while the user scrolls. */
  list: 100,
  /** Blocks on the first page of the statuses panel. */
  statusBlock: 10,
  /** Lists of earlier runs, and of all statuses of one kind. */
  history: 32,
  mobileStatus: 50,
  mobileHistory: 20,
  /** Blocks of the global search. */
  search: 5,
  /** Lookups of a single object. */
  details: 1,
} as const

/** Distance from the end, in pixels, at which a list loads more. */
export const loadMoreWithinPx = 800
