import {
  type Access,
  ComingPage,
  type FeatureRoute,
  type FeatureRoutes,
  routeNames as names,
} from '@headwater/web-kit'

/** Returns a page without content so far: its title, what is planned or applies meanwhile, and the required access. */
function later(
  path: string,
  access: Access,
  title: string,
  text: string,
  more: Partial<FeatureRoute> = {},
): FeatureRoute {
  function LaterPage() {
    return <ComingPage title={title}>{text}</ComingPage>
  }
  return { path, access, lazy: () => Promise.resolve({ default: LaterPage }), ...more }
}

const { aiTools, myAccount } = names
const companies = { resource: 'Companies', parent: 'MyAccount' }

/** Routes of unfinished pages: each explains that it is not available and what is planned. */
export const laterPages: FeatureRoutes = {
  routes: [
    ...[aiTools, names.aiToolsHyphenated].flatMap((area) => [
      later(
        area,
        { resource: aiTools },
        'AI tools',
        'In a later version you will build transformers, parsers and summarizers that work on your files.',
      ),
      later(
        `${area}/${names.transformer}`,
        { resource: aiTools },
        'Transformer',
        'In a later version you will build transformers, which convert files from one structure to another.',
      ),
      later(
        `${area}/${names.parser}`,
        { resource: aiTools },
        'Parser',
        'In a later version you will build parsers, which extract facts from documents into a table.',
      ),
      later(
        `${area}/${names.summarizer}`,
        { resource: aiTools },
        'Summarizer',
        'In a later version you will build summarizers, which summarize a file in a few sentences.',
      ),
    ]),

    later(
      `${names.trash}`,
      { resource: 'Lake' },
      'Trash',
      'Deleted groups, files and symbols cannot be restored.',
      { warehouseOnly: true },
    ),
    later(
      names.excel,
      { resource: 'Excel' },
      'Excel',
      'In a later version you will find the add-in that brings stored time series into a spreadsheet.',
    ),
    later(
      names.administrator,
      { resource: 'Administrator' },
      'Administrator',
      'In a later version administrators will see the state of the platform and change its configuration.',
    ),
    later(
      `${names.templates}/*`,
      { resource: 'Templates' },
      'External components',
      'In a later version a dashboard made of external components will open.',
      { layout: 'bare' },
    ),
    later(
      `${names.knowledgeCenter}/${names.tasks}`,
      { resource: 'MyAccount' },
      'Knowledge',
      'In a later version the guide to every task and to the whole product will open.',
      { layout: 'bare' },
    ),
    later(
      names.knowledgeCenter,
      { resource: 'MyAccount' },
      'Knowledge',
      'In a later version the guide to every task and to the whole product will open.',
      { layout: 'bare' },
    ),

    later(
      `${myAccount}/${names.company}/:company`,
      companies,
      'Company',
      'In a later version you will manage a company: its administrators, tags, metadata and how its users sign in.',
    ),
    later(
      `${myAccount}/${names.company}/:company/${names.user}/:id`,
      companies,
      'User of a company',
      'In a later version you will manage one user of a company.',
    ),
    later(
      `${myAccount}/${names.role}/:egId`,
      companies,
      'Role',
      'In a later version you will define the permissions of a role.',
    ),
    { path: names.search, access: { resource: 'Search' }, lazy: () => import('./SearchPage.tsx') },
  ],
}
