import {
  type Access,
  ComingPage,
  type FeatureRoute,
  type FeatureRoutes,
  routeNames as names,
} from '@headwater/web-kit'

/**
 * Returns a page that has no content yet: its title, text about the plan or an alternative, and the required access.
 */
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

const planned = 'It is planned for a later version.'
const { aiTools, myAccount } = names
const companies = { resource: 'Companies', parent: 'MyAccount' }

/** Routes of unfinished pages: each explains that it is not available and what is planned. */
export const laterPages: FeatureRoutes = {
  routes: [
    ...[aiTools, names.aiToolsHyphenated].flatMap((area) =>
      ['', names.transformer, names.parser, names.summarizer].map((tool) =>
        later(
          tool === '' ? area : `${area}/${tool}`,
          { resource: aiTools },
          tool === '' ? 'AI tools' : tool,
          planned,
        ),
      ),
    ),

    later(names.excel, { resource: 'Excel' }, 'Excel', planned),
    later(names.administrator, { resource: 'Administrator' }, 'Administrator', planned),
    later(`${names.templates}/*`, { resource: 'Templates' }, 'External components', planned, {
      layout: 'bare',
    }),
    later(`${names.knowledgeCenter}/${names.tasks}`, { resource: 'MyAccount' }, 'Knowledge', planned, {
      layout: 'bare',
    }),
    later(names.knowledgeCenter, { resource: 'MyAccount' }, 'Knowledge', planned, { layout: 'bare' }),

    later(`${myAccount}/${names.company}/:company`, companies, 'Company', planned),
    later(
      `${myAccount}/${names.company}/:company/${names.user}/:id`,
      companies,
      'User of a company',
      planned,
    ),
    later(`${myAccount}/${names.role}/:egId`, companies, 'Role', planned),
    { path: names.search, access: { resource: 'Search' }, lazy: () => import('./SearchPage.tsx') },
  ],
}
