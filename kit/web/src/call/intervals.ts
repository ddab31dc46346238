/** How often things refresh, and other times, in milliseconds. */
export const intervals = {
  /** Status details and status lists. */
  statusMs: 5000,
  /** The status list of the mobile layout. */
  mobileStatusMs: 60_000,
  /** Lists. */
  listMs: 10_000,
  /** Pipeline details and versions. */
  pipelineDetailsMs: 30_000,
  /** The lookup of pipeline triggers. */
  triggerLookupMs: 600_000,
  /** Searches for favourites. */
  favouritesMs: 20_000,
  /** Statuses of recent items. */
  recentStatusMs: 50_000,
  /** A status that stays unfinished this long is no longer refreshed. */
  unfinishedStatusStopMs: 30_000,
  /** How long an answer counts as fresh. */
  staleMs: 3000,
  /** Pause before a query is tried again, where it is tried again at all. */
  retryDelayMs: 3000,
  /** How long a provider stays limited. */
  limitedMs: 120_000,
  toastMs: 30_000,
  messageMs: 5000,
  clockMs: 1000,
  sidebarHoverMs: 1500,
} as const

/** How many items each kind of list asks for. */
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
  /** A lookup of one thing. */
  details: 1,
} as const

/** Distance from the end, in pixels, at which a list loads more. */
export const loadMoreWithinPx = 800
