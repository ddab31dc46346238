/** Where a page requests the data of its tiles. */
export type TileDataPlace =
  /** Of a stored version, which is what the page shows. */
  | { kind: 'stored'; fid: string }
  /** Of a definition that is sent along. */
  | { kind: 'draft' }
  | {
      kind: 'public'
      groupName: string
      insightName: string
      link: string
      token: string
      version: string
      /** Loads the view again, when there is a newer version. */
      reload: () => Promise<unknown>
    }

/** What tells the places of data apart: signed-in users see the same data in all insights. */
export function scopeOf(place: TileDataPlace): readonly string[] {
  if (place.kind !== 'public') return []
  const { groupName, insightName, link, token, version } = place
  return [groupName, insightName, link, token, version]
}
