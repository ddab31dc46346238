/** Every segment of a path or hash. Links are built from these and matched in any letter case. */
export const routeNames = {
  activate: 'Activate',
  changePassword: 'ChangePassword',
  resetPassword: 'ResetPassword',
  logout: 'Logout',
  public: 'Public',

  lake: 'Lake',
  groups: 'Groups',
  files: 'Files',
  dataProviders: 'DataProviders',
  generalIndex: 'GeneralIndex',

  storage: 'Storage',
  creator: 'Creator',
  symbols: 'Symbols',
  newSymbol: 'NewSymbol',
  formula: 'Formula',
  data: 'Data',
  dataPreps: 'DataPreps',
  table: 'Table',
  basket: 'Basket',
  charts: 'Charts',

  science: 'Science',
  list: 'List',
  pipelines: 'Pipelines',
  schedules: 'Schedules',
  tasks: 'Tasks',
  versions: 'Versions',
  monitor: 'Monitor',
  dashboard: 'Dashboard',
  details: 'Details',
  history: 'History',
  recent: 'Recent',
  pipeline: 'Pipeline',
  approve: 'Approve',
  decline: 'Decline',
  approval: 'Approval',
  task: 'Task',

  insight: 'Insight',
  visualisations: 'Visualisations',
  workflows: 'Workflows',
  publicView: 'PublicView',
  templates: 'Templates',

  aiTools: 'AITools',
  /** Second spelling of the area in paths. */
  aiToolsHyphenated: 'ai-tools',
  parser: 'Parser',
  transformer: 'Transformer',
  summarizer: 'Summarizer',

  myAccount: 'MyAccount',
  settings: 'Settings',
  companies: 'Companies',
  company: 'Company',
  users: 'Users',
  user: 'User',
  roles: 'Roles',
  role: 'Role',
  create: 'Create',
  apiKeys: 'ApiKeys',
  secrets: 'Secrets',
  workers: 'Workers',
  hosts: 'Hosts',
  databaseAccountSetup: 'DatabaseAccountSetup',

  trash: 'Trash',
  archivedGroups: 'ArchivedGroups',
  deletedFiles: 'DeletedFiles',
  archivedSymbols: 'ArchivedSymbols',

  statuses: 'Statuses',
  search: 'Search',
  logs: 'Logs',
  excel: 'Excel',
  administrator: 'Administrator',
  knowledgeCenter: 'KnowledgeCenter',
  new: 'New',
  latest: 'latest',
} as const

/** Returns whether a segment or hash equals a route name, in any letter case. */
export function sameName(text: string | undefined, name: string): boolean {
  return text !== undefined && text.toLowerCase() === name.toLowerCase()
}
