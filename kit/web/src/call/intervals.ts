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
  /** A status that stays unfinished this long no longer refreshes. */
  unfinishedStatusStopMs: 30_000,
  /** Time for which a response counts as fresh. */
  staleMs: 3000,
  /** Pause before a query is retried, if it is retried at all. */
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
  /** Lists that load more while scrolling. */
  list: 100,
  /** Each block on the first page of the statuses panel. */
  statusBlock: 10,
  /** Earlier runs, and all statuses of a kind. */
  history: 32,
  mobileStatus: 50,
  mobileHistory: 20,
  /** Each block of the global search. */
  search: 5,
  /** A lookup of one object. */
  details: 1,
} as const

/** Distance from the end, in pixels, at which a list loads more. */
export const loadMoreWithinPx = 800
