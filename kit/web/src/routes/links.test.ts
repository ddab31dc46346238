import { expect, test } from 'vitest'
import { linkTo, links } from './links.ts'
import { routeNames, sameName } from './route-names.ts'

test('SH-189 SH-190 a job links to its pipeline or data prep with the job id', () => {
  expect(links.pipeline('Prices EU', 'Daily', 12, { jobId: 'j-1' })).toBe(
    '/Science/Creator/Prices%20EU/Daily/12?jobId=j-1',
  )
  expect(links.dataPrep('Energy', 'Curve', 4, { jobId: 'j-2' })).toBe(
    '/Storage/Creator/Energy/Curve/4?jobId=j-2',
  )
})

test('DP-061 DP-062 SH-191 SH-192 a lake file links to its group, and inside the lake to the Files hash', () => {
  expect(links.lakeFile('Prices', 'f-1')).toBe('/Lake/Groups/Prices?query=f-1')
  expect(links.lakeFile('Prices', 'f-1', { insideLake: true })).toBe('/Lake?query=f-1#Files')
})

test('SH-193 SH-194 the links to the creators of pipelines and tasks', () => {
  expect(links.pipeline('Energy', 'Daily')).toBe('/Science/Creator/Energy/Daily/latest')
  expect(links.task('42')).toBe('/Science/task/creator/42')
})

test('SH-195 the provider is the query parameter provider', () => {
  expect(links.group('Prices', { provider: 'remote' })).toBe('/Lake/Groups/Prices?provider=remote')
  expect(links.insight('Energy', 'Crude', { provider: 'remote' })).toBe(
    '/Insight/Energy/Crude?provider=remote',
  )
  expect(links.pipeline('Energy', 'Daily', 'latest', { provider: 'remote' })).toContain('?provider=remote')
})

test('DP-003 every link is built from the set of route names', () => {
  const words = new Set(Object.values(routeNames).map((name) => name.toLowerCase()))
  const built = [
    links.lake('files'),
    links.storageList(),
    links.symbols(),
    links.scienceList('tasks'),
    links.monitor(),
    links.insightCreator(),
    links.aiTools('parser'),
    links.knowledge(),
    links.trash('deletedFiles'),
    links.myAccount('roles'),
    links.logout(),
  ]
  for (const link of built) {
    for (const word of link.split(/[/#]/).filter(Boolean)) expect(words).toContain(word.toLowerCase())
  }
})

test('names in links are escaped whatever they hold', () => {
  expect(linkTo(['Lake', 'Groups', 'a/b?c#d%'])).toBe('/Lake/Groups/a%2Fb%3Fc%23d%25')
  expect(linkTo(['Lake'], { query: 'type=NCSV & name=*', provider: undefined }, 'Files')).toBe(
    '/Lake?query=type%3DNCSV+%26+name%3D*#Files',
  )
  expect(links.dataPrepNew({ groupName: 'FX', symbol: { Country: 'DE', Kind: 'spot' } })).toBe(
    '/Storage/Creator/New?query=&groupName=FX&symbol=Country%3DDE%7CKind%3Dspot#Table',
  )
})

test('SH-133 names match in any letter case', () => {
  expect(sameName('lake', routeNames.lake)).toBe(true)
  expect(sameName('LAKES', routeNames.lake)).toBe(false)
  expect(sameName(undefined, routeNames.lake)).toBe(false)
})

test('SH-121 SH-122 SH-125 SH-127 SH-129 SH-130 the named segments exist', () => {
  const named =
    'Activate ChangePassword ResetPassword AITools Lake Science Storage Excel Insight Logout Logs Templates MyAccount Statuses Search Trash Administrator Public KnowledgeCenter Tasks Parser Transformer Summarizer Creator Monitor Details History Pipeline Approve Decline Approval Task Versions Visualisations Workflows PublicView Company User Role Create DatabaseAccountSetup ArchivedGroups DeletedFiles ArchivedSymbols'
  expect(Object.values(routeNames)).toEqual(expect.arrayContaining(named.split(' ')))
})
