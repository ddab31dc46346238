import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { linkTo, links } from './links.ts'
import { routeNames, sameName } from './route-names.ts'

test('SH-189 SH-190 links a job to its pipeline or data prep with the job id', () => {
  expect(links.pipeline('Prices EU', 'Daily', 12, { jobId: 'j-1' })).toBe(
    '/Science/Creator/Prices%20EU/Daily/12?jobId=j-1',
  )
  expect(links.dataPrep('Energy', 'Curve', 4, { jobId: 'j-2' })).toBe(
    '/Storage/Creator/Energy/Curve/4?jobId=j-2',
  )
})

test('DP-061 DP-062 SH-191 SH-192 links a lake file to its group, and inside the lake to the Files hash', () => {
  expect(links.lakeFile('Prices', 'f-1')).toBe('/Lake/Groups/Prices?query=f-1')
  expect(links.lakeFile('Prices', 'f-1', { insideLake: true })).toBe('/Lake?query=f-1#Files')
})

test('SH-193 SH-194 links to the creators of pipelines and tasks', () => {
  expect(links.pipeline('Energy', 'Daily')).toBe('/Science/Creator/Energy/Daily/latest')
  expect(links.task('42')).toBe('/Science/task/creator/42')
})

test('passes the provider as the query parameter provider', () => {
  const provider = 'remote'
  expect([
    links.lake('groups', { provider }),
    links.group('Prices', { provider }),
    links.lakeFile('Prices', 'f-1', { provider }),
    links.lakeFile('Prices', 'f-1', { provider, insideLake: true }),
    links.storageList({ provider }),
    links.symbols('FX', { provider }),
    links.dataPrep('Energy', 'Curve', 4, { provider }),
    links.dataPrepNew({ provider }),
    links.scienceList('tasks', { provider }),
    links.pipeline('Energy', 'Daily', 'latest', { provider }),
    links.pipelineVersions('Energy', 'Daily', { provider }),
    links.runHistory('Energy', 'Daily', { provider }),
    links.task('42', { provider }),
    links.taskVersions('42', { provider }),
    links.insightList({ provider }),
    links.insightGroup('Energy', { provider }),
    links.insight('Energy', 'Crude', { provider }),
  ]).toEqual([
    '/Lake?provider=remote#Groups',
    '/Lake/Groups/Prices?provider=remote',
    '/Lake/Groups/Prices?query=f-1&provider=remote',
    '/Lake?query=f-1&provider=remote#Files',
    '/Storage?provider=remote#DataPreps',
    '/Storage/Symbols/FX?provider=remote',
    '/Storage/Creator/Energy/Curve/4?provider=remote',
    '/Storage/Creator/New?provider=remote#Table',
    '/Science/List?provider=remote#Tasks',
    '/Science/Creator/Energy/Daily/latest?provider=remote',
    '/Science/Versions/Energy/Daily?provider=remote',
    '/Science/Monitor/History/Energy/Daily?provider=remote',
    '/Science/task/creator/42?provider=remote',
    '/Science/Task/Versions/42?provider=remote',
    '/Insight?provider=remote',
    '/Insight/Energy?provider=remote',
    '/Insight/Energy/Crude?provider=remote',
  ])
})

test('DP-003 composes every link from the set of route names', () => {
  const names = new Set(Object.values(routeNames).map((name) => name.toLowerCase()))
  const tabs: Record<string, string> = {
    lake: 'files',
    scienceList: 'tasks',
    aiTools: 'parser',
    trash: 'deletedFiles',
    myAccount: 'roles',
  }
  for (const [name, link] of Object.entries(links) as [string, (...parts: string[]) => string][]) {
    const path = link(tabs[name] ?? '*', '*', '*').replace(/\?[^#]*/, '')
    for (const segment of path.split(/[/#]/).filter(Boolean))
      if (segment !== '*') expect(names, name).toContain(segment.toLowerCase())
  }
})

test('DP-003 no screen contains a literal path', async () => {
  const root = new URL('../../../../', import.meta.url)
  const areas = Object.values(routeNames).join('|')
  const literal = new RegExp(`['"\`]/(${areas})\\b|(href|to)=(\\{[\`'"]|["'])/[a-z]`, 'i')
  const violations: string[] = []
  let count = 0
  for await (const path of glob('{apps/web,features/*/web,kit/web}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (each) => each === 'node_modules' || each === 'dist' || /\.test\.tsx?$/.test(each),
  })) {
    count += 1
    const text = await readFile(new URL(path, root), 'utf8')
    for (const [call] of text.matchAll(/linkTo\(\[(?:[^\]]*,)?\s*['"`]/g)) violations.push(`${path}: ${call}`)
    const lines = text.split('\n')
    // Descriptions and examples that mention paths are not links.
    for (const line of lines)
      if (literal.test(line) && !/^\s*(\*|\/\/|\/\*\*)|placeholder[=:]|\.describe\(/.test(line))
        violations.push(`${path}: ${line}`)
  }
  expect(count).toBeGreaterThan(300)
  expect(violations).toEqual([])
})

test('escapes all names in links', () => {
  expect(linkTo(['Lake', 'Groups', 'a/b?c#d%'])).toBe('/Lake/Groups/a%2Fb%3Fc%23d%25')
  expect(linkTo(['Lake'], { query: 'type=NCSV & name=*', provider: undefined }, 'Files')).toBe(
    '/Lake?query=type%3DNCSV+%26+name%3D*#Files',
  )
  expect(links.dataPrepNew({ groupName: 'FX', symbol: { Country: 'DE', Kind: 'spot' } })).toBe(
    '/Storage/Creator/New?query=&groupName=FX&symbol=Country%3DDE%7CKind%3Dspot#Table',
  )
})

test('SH-133 matches names regardless of case', () => {
  expect(sameName('lake', routeNames.lake)).toBe(true)
  expect(sameName('LAKES', routeNames.lake)).toBe(false)
  expect(sameName(undefined, routeNames.lake)).toBe(false)
})

test('SH-121 each first path segment has a route name', () => {
  for (const segment of [
    'Activate',
    'ChangePassword',
    'ResetPassword',
    'AITools',
    'Lake',
    'Science',
    'Storage',
    'Excel',
    'Insight',
    'Logout',
    'Logs',
    'Templates',
    'MyAccount',
    'Statuses',
    'Search',
    'Trash',
    'Administrator',
    'Public',
  ])
    expect(Object.values(routeNames)).toContain(segment)
  expect(links.knowledge()).toBe('/KnowledgeCenter/Tasks')
})

test('the segments below the areas have route names', () => {
  const named =
    'Parser Transformer Summarizer Creator Monitor Details History Pipeline Approve Decline Approval Task Versions Visualisations Workflows PublicView Company User Role Create DatabaseAccountSetup ArchivedGroups DeletedFiles ArchivedSymbols'
  expect(Object.values(routeNames)).toEqual(expect.arrayContaining(named.split(' ')))
})
