import { decodeText } from '@headwater/contract'
import { linkTo } from './links.ts'
import { routeNames as names, sameName } from './route-names.ts'

/** One breadcrumb; the last one has no link. */
export interface Crumb {
  /** Visible text. */
  text: string
  /** Link; absent for the last one. */
  href?: string
}

interface CrumbLocation {
  /** Decoded segments below the area. */
  rest: string[]
  search: string
  hash: string
}

/** Returns the breadcrumbs of a URL; empty for an unknown area. */
export function breadcrumbsOf(pathname: string, search = '', hash = ''): Crumb[] {
  const [area, ...rest] = segmentsOf(pathname)
  if (area === undefined) return []
  if (sameName(area, names.public))
    return breadcrumbsOf(`/${rest.map(encodeURIComponent).join('/')}`, search, hash)
  const match = Object.entries(areas).find(([name]) => sameName(area, name))
  if (!match) return []
  const crumbs = match[1]({ rest, search, hash: decodeText(hash.replace(/^#/, '')) })
  const last = crumbs.at(-1)
  return last ? [...crumbs.slice(0, -1), { text: last.text }] : []
}

const areas: Record<string, (location: CrumbLocation) => Crumb[]> = {
  [names.statuses]: () => [{ text: 'Statuses' }],
  [names.search]: () => [{ text: 'Search' }],
  [names.excel]: () => [{ text: 'Excel' }],
  [names.administrator]: () => [{ text: 'Administrator' }],
  [names.templates]: ({ rest }) => [{ text: 'Templates', href: linkTo([names.templates]) }, ...plain(rest)],
  [names.knowledgeCenter]: ({ rest }) => [{ text: 'Knowledge' }, ...plain(rest)],
  [names.logs]: ({ rest }) => [{ text: 'Logs' }, ...plain(rest)],
  [names.aiTools]: aiTools,
  [names.aiToolsHyphenated]: aiTools,
  [names.lake]: lake,
  [names.storage]: storage,
  [names.science]: science,
  [names.insight]: insight,
  [names.trash]: ({ hash }) => [
    { text: 'Trash', href: linkTo([names.trash]) },
    ...tab(hash, {
      [names.archivedGroups]: 'Archived groups',
      [names.deletedFiles]: 'Deleted files',
      [names.archivedSymbols]: 'Archived symbols',
    }),
  ],
  [names.myAccount]: myAccount,
}

function aiTools({ rest }: CrumbLocation): Crumb[] {
  return [{ text: 'AI tools', href: linkTo([names.aiTools]) }, ...plain(rest)]
}

function lake({ rest, search, hash }: CrumbLocation): Crumb[] {
  const root = { text: 'Data lake', href: linkTo([names.lake], {}, names.groups) }
  if (rest.length === 0) {
    const tabs = { [names.groups]: 'Groups', [names.files]: 'Files', [names.dataProviders]: 'Data providers' }
    return [root, ...tab(hash, tabs, 'Groups')]
  }
  if (sameName(rest[0], names.groups)) {
    const [, groupName] = rest
    if (groupName === undefined) return [root, { text: 'Groups' }]
    return [
      root,
      { text: groupName, href: `${linkTo([names.lake, names.groups, groupName])}${search}` },
      ...plain(rest.slice(2)),
    ]
  }
  if (sameName(rest[0], names.files)) return [root, { text: 'Files' }]
  if (sameName(rest[0], names.dataProviders))
    return [root, { text: 'Data providers' }, ...plain(rest.slice(1))]
  return [root, ...plain(rest)]
}

function storage({ rest, hash }: CrumbLocation): Crumb[] {
  const root = { text: 'Data preps', href: linkTo([names.storage], {}, names.dataPreps) }
  if (rest.length === 0 || sameName(rest[0], names.list) || sameName(rest[0], names.dataPreps)) {
    return [root, ...tab(hash, { [names.table]: 'Table' })]
  }
  if (sameName(rest[0], names.symbols)) {
    return [{ text: 'Storage', href: linkTo([names.storage, names.symbols]) }, ...plain(rest.slice(1))]
  }
  if (sameName(rest[0], names.newSymbol) || sameName(rest[0], names.formula)) {
    const [, groupName] = rest
    const symbols = { text: 'Storage', href: linkTo([names.storage, names.symbols]) }
    const last = { text: sameName(rest[0], names.formula) ? 'Formula' : 'New symbol' }
    if (groupName === undefined) return [symbols, last]
    return [symbols, { text: groupName, href: linkTo([names.storage, names.symbols, groupName]) }, last]
  }
  if (sameName(rest[0], names.data)) return [{ text: 'Storage' }, { text: 'Data' }]
  if (sameName(rest[0], names.creator)) return [root, ...creator(rest.slice(1), 'New data prep')]
  return [root, ...plain(rest)]
}

function science({ rest, hash }: CrumbLocation): Crumb[] {
  const root = { text: 'Pipelines', href: linkTo([names.science, names.list], {}, names.pipelines) }
  const [first, second, ...deeper] = rest
  if (first === undefined || sameName(first, names.list)) {
    if (sameName(second, names.versions)) return [root, ...plain(deeper), { text: 'Versions' }]
    return [root, ...tab(hash, { [names.schedules]: 'Schedules', [names.tasks]: 'Tasks' })]
  }
  if (sameName(first, names.creator)) return [root, ...creator(rest.slice(1), 'New pipeline')]
  if (sameName(first, names.versions)) return [root, ...plain(rest.slice(1)), { text: 'Versions' }]
  if (sameName(first, names.schedules)) return [root, ...plain(rest.slice(1)), { text: 'Triggers' }]
  if (sameName(first, names.task)) {
    const tasks = { text: 'Tasks', href: linkTo([names.science, names.list], {}, names.tasks) }
    // Users do not know the ids of tasks, so the task pages set the name instead.
    return [tasks, { text: sameName(second, names.versions) ? 'Versions' : (deeper[0] ?? 'New task') }]
  }
  if (sameName(first, names.monitor) || sameName(first, names.dashboard)) {
    const monitor = { text: 'Monitor', href: linkTo([names.science, names.monitor], {}, names.recent) }
    if (second === undefined) return [monitor]
    if (sameName(second, names.details)) return [monitor, { text: 'Details' }, ...plain(deeper)]
    if (sameName(second, names.history)) return [monitor, ...plain(deeper), { text: 'Last runs' }]
    return [monitor, ...plain(rest.slice(1))]
  }
  if (sameName(first, names.pipeline)) return [root, ...plain(rest.slice(1))]
  return [root, ...plain(rest)]
}

/** `{type}/{name}/{version}`: the first segment of a creator path is the group of the object. */
function creator(rest: string[], newText: string): Crumb[] {
  if (rest.length === 0 || sameName(rest[0], names.new)) return [{ text: newText }]
  return plain(rest.slice(0, 2))
}

function insight({ rest }: CrumbLocation): Crumb[] {
  const root = { text: 'Insight', href: linkTo([names.insight]) }
  const [first] = rest
  if (first === undefined) return [root]
  if (sameName(first, names.templates)) {
    return [
      root,
      { text: 'Templates', href: linkTo([names.insight, names.templates]) },
      ...plain(rest.slice(1)),
    ]
  }
  if (sameName(first, names.creator) && rest.length < 3) return [root, { text: 'New insight' }]
  const way = sameName(first, names.creator) ? rest.slice(1) : rest
  return [
    root,
    ...way.map((text, index) => ({ text, href: linkTo([names.insight, ...way.slice(0, index + 1)]) })),
  ]
}

function myAccount({ rest, hash }: CrumbLocation): Crumb[] {
  const root = { text: 'My account', href: linkTo([names.myAccount], {}, names.settings) }
  const [first, second, third, fourth] = rest
  if (first === undefined) {
    const tabs = {
      [names.settings]: 'Settings',
      [names.apiKeys]: 'API keys',
      [names.secrets]: 'Secrets',
      [names.audit]: 'Audit log',
      [names.workers]: 'Workers',
      [names.hosts]: 'Hosts',
      [names.companies]: 'Companies',
      [names.users]: 'Users',
      [names.roles]: 'Roles',
      [names.storage]: 'Storage',
    }
    return [root, ...tab(hash, tabs, 'Settings')]
  }
  if (sameName(first, names.databaseAccountSetup)) return [root, { text: 'Database account setup' }]
  const list = (text: string, name: string) => ({ text, href: linkTo([names.myAccount], {}, name) })
  if (sameName(first, names.company) && second !== undefined) {
    const company = { text: second, href: linkTo([names.myAccount, names.company, second], { query: '' }) }
    return [
      root,
      list('Companies', names.companies),
      company,
      ...(sameName(third, names.user) && fourth ? [{ text: fourth }] : []),
    ]
  }
  if (sameName(first, names.user) && second !== undefined)
    return [root, list('Users', names.users), { text: second }]
  if (sameName(first, names.role) && second !== undefined) {
    return [root, list('Roles', names.roles), { text: sameName(second, names.create) ? 'New role' : second }]
  }
  return [root, ...plain(rest)]
}

function tab(hash: string, texts: Record<string, string>, otherwise?: string): Crumb[] {
  const text = Object.entries(texts).find(([name]) => sameName(hash, name))?.[1] ?? otherwise
  return text === undefined ? [] : [{ text }]
}

function plain(segments: string[]): Crumb[] {
  return segments.map((text) => ({ text }))
}

function segmentsOf(pathname: string): string[] {
  return pathname.split('/').filter(Boolean).map(decodeText)
}
