import { call, type FeatureRoutes, links, pageSizes, routeNames, searchHitLink } from '@headwater/web-kit'
import { searchFiles } from '../contract/index.ts'
import { fileQuery } from './file-query.ts'

export {
  newestFileVersion,
  refreshFiles,
  saveFileVersion,
  saveMarkdownVersion,
  saveNewFile,
  uploadFile,
  useNewestFileVersion,
  useRestoreVersion,
} from './files-client.ts'
export { useDownload } from './download-files.ts'

export { choicesOf, DateFormatField, DateZoneField } from './import/DateFields.tsx'
export { FilePickerDialog } from './components/FilePickerDialog.tsx'
export { VersionNote } from './import/VersionNote.tsx'
export { maxCsvBytes } from './file-tools.ts'
export { pollDefinition } from './poll-definition.ts'
export { readContent, type ContentRoute } from './read-content.ts'

const access = { resource: 'Files', parent: 'Lake' } as const

/** Routes of the files feature: the lake and the page of a group. */
export const filesWeb: FeatureRoutes = {
  routes: [
    {
      path: routeNames.lake,
      lazy: () => import('./screens/LakeScreen.tsx'),
      access: { resource: 'Lake' },
      mobile: true,
    },
    {
      path: `${routeNames.lake}/${routeNames.groups}`,
      lazy: () => import('./screens/GroupsRedirect.tsx'),
      access: { resource: 'Groups', parent: 'Lake' },
      mobile: true,
    },
    {
      path: `${routeNames.lake}/${routeNames.groups}/:groupName`,
      lazy: () => import('./screens/GroupScreen.tsx'),
      access: { resource: 'Groups', parent: 'Lake' },
      mobile: true,
    },
  ],
  searchProviders: [
    {
      id: 'files',
      label: 'Files',
      access,
      async search(text, signal) {
        const query = { query: fileQuery(text, { latest: true }), size: pageSizes.search }
        const page = await call(searchFiles, { query }, { signal })
        return page.items.map((file) => ({
          id: file.fid,
          title: file.fileName,
          detail: file.groupName,
          href: searchHitLink(links.lake('files', { query: file.fid })),
        }))
      },
      seeAllHref: (text) => links.lake('files', { query: text }),
    },
  ],
}
