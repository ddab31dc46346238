import { routeNames as names } from './route-names.ts'

/** Options of every link. */
export interface LinkOptions {
  /** Provider of the object; absent for local objects. */
  provider?: string
}

type Query = Record<string, string | number | boolean | undefined>

/** Joins escaped path segments, query parameters (without undefined ones, but with empty ones) and a hash. */
export function linkTo(segments: readonly string[], query: Query = {}, hash = ''): string {
  const path = segments.map((segment) => encodeURIComponent(segment)).join('/')
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) search.set(key, String(value))
  }
  const text = search.toString()
  return `/${path}${text ? `?${text}` : ''}${hash ? `#${hash}` : ''}`
}

/**
 * Returns a link as search hits contain it: the page below the area and the tab are in lower case, as in
 * `/Lake/groups/Prices` or `/Lake?query=…#files`. Routes match regardless of case.
 */
export function searchHitLink(href: string): string {
  return href
    .replace(/^(\/[^/?#]+\/)([^/?#]+)/, (_, area: string, page: string) => area + page.toLowerCase())
    .replace(/#.*$/, (tab) => tab.toLowerCase())
}

/** Builders of every link inside the product; no other code contains paths. */
export const links = {
  home: () => '/',
  /** A tab of the lake, optionally with a search: `/Lake?query=…#Files`. */
  lake: (tab?: 'groups' | 'files' | 'dataProviders', options: LinkOptions & { query?: string } = {}) =>
    linkTo([names.lake], { query: options.query, provider: options.provider }, tab ? names[tab] : ''),
  group: (groupName: string, options: LinkOptions & { query?: string } = {}) =>
    linkTo([names.lake, names.groups, groupName], { query: options.query, provider: options.provider }),
  /** A file of the lake: the page of its group, or the Files tab if the user is already in the lake. */
  lakeFile: (groupName: string, fileId: string, options: LinkOptions & { insideLake?: boolean } = {}) =>
    options.insideLake
      ? linkTo([names.lake], { query: fileId, provider: options.provider }, names.files)
      : linkTo([names.lake, names.groups, groupName], { query: fileId, provider: options.provider }),

  /** The list of data preps. */
  storageList: (options: LinkOptions & { query?: string } = {}) =>
    linkTo([names.storage], { query: options.query, provider: options.provider }, names.dataPreps),
  /**
   * The symbols in all groups or in one group. With `fileId`, only the symbols of a file. With `symbol`, beside the chart of
   * this symbol of the group.
   */
  symbols: (
    groupName?: string,
    options: LinkOptions & { query?: string; fileId?: string; symbol?: Record<string, string> } = {},
  ) =>
    linkTo([names.storage, names.symbols, ...(groupName === undefined ? [] : [groupName])], {
      query: options.query,
      fileId: options.fileId,
      symbol: options.symbol && symbolText(options.symbol),
      provider: options.provider,
    }),
  /** The form for a new symbol, optionally in a group. */
  newSymbol: (groupName?: string) =>
    linkTo([names.storage, names.newSymbol, ...(groupName === undefined ? [] : [groupName])]),
  /** The form that edits a formula. */
  formula: (groupName: string, symbol: Record<string, string>) =>
    linkTo([names.storage, names.formula, groupName], { symbol: symbolText(symbol) }),
  dataPrepNew: (
    options: LinkOptions & { query?: string; groupName?: string; symbol?: Record<string, string> } = {},
  ) =>
    linkTo(
      [names.storage, names.creator, names.new],
      {
        query: options.query ?? (options.symbol ? '' : undefined),
        groupName: options.groupName,
        symbol: options.symbol && symbolText(options.symbol),
        provider: options.provider,
      },
      names.table,
    ),
  dataPrep: (
    groupName: string,
    name: string,
    version: string | number = names.latest,
    options: LinkOptions & { jobId?: string; query?: string; tab?: 'table' | 'basket' | 'charts' } = {},
  ) =>
    linkTo(
      [names.storage, names.creator, groupName, name, String(version)],
      { query: options.query, jobId: options.jobId, provider: options.provider },
      options.tab ? names[options.tab] : '',
    ),

  scienceList: (
    tab: 'pipelines' | 'schedules' | 'tasks' = 'pipelines',
    options: LinkOptions & { query?: string } = {},
  ) => linkTo([names.science, names.list], { query: options.query, provider: options.provider }, names[tab]),
  pipeline: (
    groupName: string,
    name: string,
    version: string | number = names.latest,
    options: LinkOptions & { jobId?: string } = {},
  ) =>
    linkTo([names.science, names.creator, groupName, name, String(version)], {
      jobId: options.jobId,
      provider: options.provider,
    }),
  pipelineNew: () => linkTo([names.science, names.creator, names.new]),
  pipelineVersions: (groupName: string, name: string, options: LinkOptions = {}) =>
    linkTo([names.science, names.versions, groupName, name], { provider: options.provider }),
  /** The triggers of a pipeline. */
  pipelineTriggers: (groupName: string, name: string) =>
    linkTo([names.science, names.schedules, groupName, name]),
  monitor: () => linkTo([names.science, names.monitor], {}, names.recent),
  /** The details of a run. */
  run: (jobId: string) => linkTo([names.science, names.monitor, names.details, jobId]),
  /** The page of an approval that a run waits for. */
  approval: (jobId: string, step: string) =>
    linkTo([names.science, names.pipeline, names.approval, jobId], { step }),
  runHistory: (groupName: string, name: string, options: LinkOptions = {}) =>
    linkTo([names.science, names.monitor, names.history, groupName, name], { provider: options.provider }),
  /** A task in its creator: the newest version, or the given one. */
  task: (
    id: string,
    options: LinkOptions & { version?: number; pipelineId?: string; nodeId?: string } = {},
  ) =>
    // The specification spells this link in lower case.
    linkTo([names.science, names.task.toLowerCase(), names.creator.toLowerCase(), id], {
      version: options.version,
      pipelineId: options.pipelineId,
      nodeId: options.nodeId,
      provider: options.provider,
    }),
  taskNew: () => linkTo([names.science, names.task, names.creator]),
  taskVersions: (id: string, options: LinkOptions = {}) =>
    linkTo([names.science, names.task, names.versions, id], { provider: options.provider }),

  insightList: (options: LinkOptions & { query?: string } = {}) =>
    linkTo([names.insight], { query: options.query, provider: options.provider }),
  insightGroup: (groupName: string, options: LinkOptions = {}) =>
    linkTo([names.insight, groupName], { provider: options.provider }),
  insight: (groupName: string, name: string, options: LinkOptions = {}) =>
    linkTo([names.insight, groupName, name], { provider: options.provider }),
  /** The builder for a new insight, optionally in a group. Saved insights are edited on their own page. */
  insightCreator: (groupName?: string) => linkTo([names.insight, names.creator], { groupName }),
  publicInsight: (groupName: string, name: string) => linkTo([names.public, names.insight, groupName, name]),

  aiTools: (tool?: 'parser' | 'transformer' | 'summarizer') =>
    linkTo(tool ? [names.aiTools, names[tool]] : [names.aiTools]),
  knowledge: () => linkTo([names.knowledgeCenter, names.tasks]),
  statuses: () => linkTo([names.statuses]),
  search: (query = '') => linkTo([names.search], { query: query || undefined }),
  logs: (jobId: string, component?: string, level?: string) =>
    linkTo([names.logs, jobId, ...(component ? [component, ...(level ? [level] : [])] : [])]),
  trash: (tab?: 'archivedGroups' | 'deletedFiles' | 'archivedSymbols') =>
    linkTo([names.trash], {}, tab ? names[tab] : ''),
  myAccount: (
    tab?: 'settings' | 'apiKeys' | 'secrets' | 'companies' | 'users' | 'roles' | 'workers' | 'hosts',
    options: { query?: string } = {},
  ) => linkTo([names.myAccount], { query: options.query }, tab ? names[tab] : ''),
  user: (email: string) => linkTo([names.myAccount, names.user, email]),
  role: (egId: string) => linkTo([names.myAccount, names.role, egId]),
  company: (name: string) => linkTo([names.myAccount, names.company, name], { query: '' }),
  companyUser: (company: string, id: string) =>
    linkTo([names.myAccount, names.company, company, names.user, id]),
  logout: () => linkTo([names.logout]),
  login: () => '/',
  resetPassword: () => linkTo([names.resetPassword]),
} as const

/** Formats a symbol for links: `Commodity=Brent|Region=Europe`. */
export function symbolText(symbol: Record<string, string>): string {
  return Object.entries(symbol)
    .map(([key, value]) => `${key}=${value}`)
    .join('|')
}
