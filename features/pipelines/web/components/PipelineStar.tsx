import { FavouriteStar, useFavourites } from '@headwater/accounts/web'
import type { Pipeline } from '../../contract/index.ts'

/** Favourite pipeline in the user settings. */
type Favourite = Pick<Pipeline, 'id' | 'name' | 'groupName' | 'tags' | 'trigger'> & { favorite?: boolean }

/** Star that marks a pipeline as favourite. */
export function PipelineStar({ pipeline }: { pipeline: Pipeline }) {
  const { isFavourite, toggle } = useFavourites<Favourite>(
    'favoritePipelines',
    'id',
    (entry, other) => entry.id === other.id,
  )
  const { id, name, groupName, tags, trigger } = pipeline
  const entry = { id, name, groupName, tags, trigger }
  return <FavouriteStar name={name} active={isFavourite(entry)} onToggle={() => void toggle(entry)} />
}
