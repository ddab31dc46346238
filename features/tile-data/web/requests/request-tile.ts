import { maxRequestedTiles, type RequestedTileInput, type TileDataFrame } from '../../contract/index.ts'
import { choicesOf, rangeText } from '../../core/params/param-values.ts'
import type { RowPreview } from '../../core/insight/row-preview.ts'
import { ApiError } from '@headwater/web-kit'
import type { InsightData } from '../insight/insight-data.ts'
import { readFrames } from './read-frames.ts'
import type { TileDataRequest } from './tile-data-route.ts'

/** Tiles that are requested within this time share a request, in milliseconds. */
const gatherMs = 4

/** A request for the data of one tile. */
export interface TileRequest {
  /** The insight with its choices. */
  insight: InsightData
  /** The previewed row; undefined if there is none. */
  preview: RowPreview | undefined
  /** The requested tile. */
  tile: RequestedTileInput & Required<Pick<RequestedTileInput, 'part'>>
}

/** The response for one tile. */
export interface TileResponse {
  /** Groups that the user cannot read. */
  hiddenGroups: readonly string[]
  /** The saved data prep of the tile; undefined if it queries series. */
  prep: TileDataFrame['prep']
  /** The results of the tile. */
  results: readonly ResultText[]
}

/** A result as text. */
export interface ResultText {
  /** Groups of the result. */
  groupNames: readonly string[]
  /** IANA zone of the dates. */
  timeZone: string
  /** Whether points are selected for drawing if there are too many rows. */
  drawn: boolean
  /** Number of all rows; undefined if not counted. */
  totalRows: number | undefined
  /** The CSV. */
  text: string
}

interface Waiting extends TileRequest {
  signal: AbortSignal
  resolve: (response: TileResponse) => void
  reject: (error: unknown) => void
}

let gathered: Waiting[] = []

/**
 * Requests the data of a tile. Tiles that are requested at about the same time share one request. Each promise resolves
 * when the data of its tile are complete.
 * @throws ApiError
 */
export function requestTile(request: TileRequest, signal: AbortSignal): Promise<TileResponse> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (gathered.length === 0) setTimeout(sendGathered, gatherMs)
    gathered.push({ ...request, signal, resolve, reject })
  })
}

function sendGathered(): void {
  const open = gathered.filter(({ signal }) => !signal.aborted)
  gathered = []
  const byPage = Map.groupBy(open, ({ insight }) => insight)
  for (const ofPage of byPage.values())
    for (const alike of Map.groupBy(ofPage, ({ preview }) => preview).values())
      for (let from = 0; from < alike.length; from += maxRequestedTiles)
        void send(alike.slice(from, from + maxRequestedTiles))
}

async function send(requests: readonly Waiting[]): Promise<void> {
  const { insight, preview } = requests[0]!
  try {
    const tiles = requests.map(({ tile }) => tile)
    const response = await insight.route.request(requestOf(insight, preview, tiles), whenAllAborted(requests))
    await readResponse(response, requests)
    throw new ApiError({ status: 0, message: 'The response was incomplete. Try again.' })
  } catch (error) {
    for (const { reject } of requests) reject(error)
  }
}

function requestOf(
  { content, sets, range, ownBasket }: InsightData,
  preview: RowPreview | undefined,
  tiles: TileRequest['tile'][],
): TileDataRequest {
  const chosen = sets.map(({ set, chosen }) => [set.id, choicesOf(set, chosen)] as const)
  return {
    choices: {
      tiles,
      parameters: Object.fromEntries(chosen.filter(([, values]) => Object.keys(values).length > 0)),
      ...(range === undefined ? {} : { range: rangeText(range) }),
    },
    memberChoices: {
      ...(ownBasket === undefined ? {} : { basket: ownBasket }),
      ...(preview === undefined
        ? {}
        : { preview: { tileIds: [...preview.tileIds], values: { ...preview.values } } }),
    },
    content,
  }
}

/** Resolves each request as soon as its data are complete; returns when the response has ended. */
async function readResponse(response: Response, requests: readonly Waiting[]): Promise<void> {
  const read = requests.map(() => ({
    hiddenGroups: [] as readonly string[],
    prep: undefined as TileDataFrame['prep'],
    results: [] as (Omit<ResultText, 'text'> & { collected: TextCollector })[],
  }))
  let isFirst = true
  for await (const { frame, bytes } of readFrames<TileDataFrame>(response.body!)) {
    const request = requests[frame.tile]!
    const tile = read[frame.tile]!
    if (frame.hiddenGroups !== undefined)
      Object.assign(tile, { hiddenGroups: frame.hiddenGroups, prep: frame.prep })
    if (frame.groupNames !== undefined) {
      const { groupNames, timeZone = 'UTC', drawn = false, totalRows } = frame
      tile.results.push({ groupNames, timeZone, drawn, totalRows, collected: new TextCollector() })
    }
    if (bytes !== undefined) tile.results.at(-1)!.collected.add(bytes)
    if (frame.error !== undefined) request.reject(new ApiError(frame.error))
    if (frame.done !== true) continue
    const results = tile.results.map(({ collected, ...rest }) => ({ ...rest, text: collected.text() }))
    request.resolve({ ...tile, results })
    if (request.signal.aborted) continue
    // Lets the first tile render before the others are read. Does not wait on a hidden page, which does not render and
    // has slow timers.
    if (isFirst && requests.length > 1 && !document.hidden) await drawn()
    isFirst = false
  }
}

/** Waits until the resolved data are rendered: one task renders them, and the next task continues. */
async function drawn(): Promise<void> {
  for (let task = 0; task < 2; task++) await new Promise((resolve) => setTimeout(resolve))
}

/** Decodes the bytes of a result. Incomplete characters wait for the next bytes. */
class TextCollector {
  readonly #decoder = new TextDecoder()
  #text = ''

  add(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true })
  }

  text(): string {
    return this.#text + this.#decoder.decode()
  }
}

/** Aborts when all tiles of a request are aborted. */
function whenAllAborted(requests: readonly Waiting[]): AbortSignal {
  const controller = new AbortController()
  let open = requests.length
  for (const { signal } of requests)
    signal.addEventListener('abort', () => (open -= 1) === 0 && controller.abort(signal.reason), {
      once: true,
    })
  return controller.signal
}
