import { build, type InlineConfig, type Rolldown } from 'vite'

/** What asks for an insight while its other parts arrive, as the end of its path; a file of its own. */
export const insightScreen = '/insights/web/screens/InsightScreen/InsightScreen.tsx'

/** The parts that every insight fetches then. */
export const insightParts = [
  '/insights/web/screens/InsightScreen/InsightWorkspace.tsx',
  '/insights/web/tiles/chart/ChartTile.tsx',
  '/insights/web/tiles/table/TableTile.tsx',
]

/** Where all parts of insights lie. */
const insightRoom = '/features/insights/web/'

/** Parts besides those of insights that need a module, from which on it goes into the file that most pages share. */
const fewestSharers = 8

/** Small parts that any page is made of: buttons, fields, icons. */
const isBrick = (id: string) => /\/(@mantine|@tabler|kit\/web)\//.test(id)

/**
 * The file that a module goes to, so that a new browser does not fetch some 140 small ones: one for the start, one for what most pages
 * share, one for what an insight shares with few others, one for what only an insight needs. The other modules are left to the bundler.
 * What a file needs lies in files that need nothing of it, so modules run in the order they always did.
 *
 * Imports of modules would say too much, as doors name all that their room has. What a page really takes is known once the code has been
 * split without groups, so that is done first.
 *
 * @returns name of the file by module id
 * @throws Error if a part of an insight is not where it is looked for
 */
export async function findCodeGroups(config: InlineConfig): Promise<ReadonlyMap<string, string>> {
  const { output } = (await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false, minify: false },
  })) as Rolldown.RolldownOutput
  const chunks = output.filter((file) => file.type === 'chunk')
  const chunkByName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))

  /** Modules of chunks and of all that come with them. */
  function modulesOf(asked: readonly Rolldown.OutputChunk[]): Set<string> {
    const names = new Set(asked.map(({ fileName }) => fileName))
    for (const name of names) for (const imported of chunkByName.get(name)?.imports ?? []) names.add(imported)
    return new Set([...names].flatMap((name) => chunkByName.get(name)?.moduleIds ?? []))
  }

  function chunkOf(end: string): Rolldown.OutputChunk {
    const found = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(end))
    if (found === undefined)
      throw new Error(`No code is fetched for ${end}; name the parts of an insight anew.`)
    return found
  }

  const screen = chunkOf(insightScreen)
  const sharers = new Map<string, number>()
  for (const chunk of chunks)
    if (chunk === screen || (chunk.isDynamicEntry && !chunk.facadeModuleId?.includes(insightRoom)))
      for (const id of modulesOf([chunk])) sharers.set(id, (sharers.get(id) ?? 0) + 1)

  const groups = new Map<string, string>()
  for (const id of modulesOf([screen, ...insightParts.map(chunkOf)])) {
    const count = sharers.get(id) ?? 0
    if (id.endsWith(insightScreen)) continue
    if (count === 0) groups.set(id, 'insight')
    else groups.set(id, count >= fewestSharers || isBrick(id) ? 'common' : 'shared')
  }
  for (const id of modulesOf(chunks.filter(({ isEntry }) => isEntry))) groups.set(id, 'start')
  return groups
}
