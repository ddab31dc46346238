import { openEmbeddedEngine, SeriesEngineError, type PointBatch } from '../src/index.ts'

const blockRows = 50_000
const columns = [{ id: 1, type: 'double' as const }]

function* randomPoints(rowCount: number): Generator<PointBatch> {
  for (let at = 0; at < rowCount; at += blockRows)
    yield {
      sids: new Uint32Array(blockRows).fill(1),
      timestamps: Float64Array.from(
        { length: blockRows },
        (_, row) => Date.UTC(2000, 0, 1) + (at + row) * 1000,
      ),
      values: [Float64Array.from({ length: blockRows }, () => Math.random())],
    }
}

/** Stages a small version and larger ones in an engine in the folder of the arguments, and prints the outcome of each as JSON. */
async function main(folder: string): Promise<void> {
  const engine = await openEmbeddedEngine({ folder })
  const outcomes: string[] = []
  for (const [index, rowCount] of [50_000, 600_000, 1_200_000, 50_000].entries()) {
    const version = index + 1
    try {
      await engine.stage({ dataset: 1, version, columns, batches: randomPoints(rowCount) })
      await engine.publish(1, version)
      outcomes.push('published')
    } catch (error) {
      outcomes.push(error instanceof SeriesEngineError ? `${error.code}: ${error.message}` : String(error))
      await engine.discard(1, version)
    }
  }
  const versions = await engine.listVersions(1)
  await engine.close()
  process.stdout.write(JSON.stringify({ outcomes, versions: versions.map(({ version }) => version) }))
}

await main(process.argv[2]!)
