import { build, type InlineConfig, type Rolldown } from 'vite'

/** Path suffix of the module that requests an insight while its other parts load. It gets its own file. */
export const insightScreen = '/insights/web/screens/InsightScreen/InsightScreen.tsx'

/** The parts that readers of every insight load next. */
export const insightParts = [
  '/insights/web/screens/InsightScreen/InsightWorkspace.tsx',
  '/tiles/web/tiles/chart/ChartTile.tsx',
  '/reports/web/exports/ExportFrame.tsx',
  '/reports/web/exports/ExportMenu.tsx',
]

/** Parts that load later, by the name of the file with the modules that only they need. */
const laterParts = {
  table: ['/tiles/web/tiles/table/TableTile.tsx'],
  menu: ['/web/src/menu/MenuList.tsx'],
  builder: [
    '/insights/web/builder/BuilderPanel.tsx',
    '/insights/web/builder/BuilderActions.tsx',
    '/insights/web/screens/InsightScreen/WorkspaceDialogs.tsx',
  ],
}

/** Returns whether a module is a part of insights. */
const isOfInsights = (id: string | null) =>
  /\/features\/(tile-data|tiles|insights|publishing|reports)\/web\//.test(id ?? '')

/** A module that at least this many other parts need goes into a file that most pages share. */
const fewestSharers = 8

/** Returns whether a module is a small part of any page: a button, a field, an icon. */
const isSmallPart = (id: string) => /\/(@mantine|@tabler|kit\/web)\//.test(id)

/**
 * Returns the file of each module, so that a browser with an empty cache does not fetch about 140 small ones:
 * one for the start, one for modules of most pages, one for modules that an insight shares with few others,
 * one for modules of insights only. Tables, menus and the builder have separate files, which readers load
 * after the first tile. The bundler places the other modules. Files do not depend on each other in cycles, so
 * the order in which modules run stays the same.
 *
 * Imports alone would include too much, because an entry point exports everything of its feature. A first
 * build without groups shows which modules a page really loads.
 *
 * @returns name of the file by module id
 * @throws Error if a part of an insight does not exist at its path
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

  /** Returns the modules of chunks and of the chunks that they import. */
  function modulesOf(entries: readonly Rolldown.OutputChunk[]): Set<string> {
    const names = new Set(entries.map(({ fileName }) => fileName))
    for (const name of names) for (const imported of chunkByName.get(name)?.imports ?? []) names.add(imported)
    return new Set([...names].flatMap((name) => chunkByName.get(name)?.moduleIds ?? []))
  }

  function chunkOf(end: string): Rolldown.OutputChunk {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(end))
    if (chunk === undefined)
      throw new Error(`No chunk contains ${end}. Update the list of the parts of an insight.`)
    return chunk
  }

  const screen = chunkOf(insightScreen)
  const isOfMostPages = (id: string) => (sharers.get(id) ?? 0) >= fewestSharers || isSmallPart(id)
  const sharers = new Map<string, number>()
  for (const chunk of chunks)
    if (chunk === screen || (chunk.isDynamicEntry && !isOfInsights(chunk.facadeModuleId)))
      for (const id of modulesOf([chunk])) sharers.set(id, (sharers.get(id) ?? 0) + 1)

  const groups = new Map<string, string>()
  for (const id of modulesOf([screen, ...insightParts.map(chunkOf)])) {
    if (id.endsWith(insightScreen)) continue
    if (!sharers.has(id)) groups.set(id, 'insight')
    else groups.set(id, isOfMostPages(id) ? 'common' : 'shared')
  }
  for (const id of modulesOf(chunks.filter(({ isEntry }) => isEntry))) groups.set(id, 'start')
  for (const [name, parts] of Object.entries(laterParts))
    for (const id of modulesOf(parts.map(chunkOf))) {
      if (groups.has(id)) continue
      // Nearly all modules of menus are small parts, so one file is enough.
      groups.set(id, isOfMostPages(id) && name !== 'menu' ? `${name}-common` : name)
    }
  return groups
}
