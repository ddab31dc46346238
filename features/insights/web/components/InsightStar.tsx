import { FavouriteStar } from '@headwater/accounts/web'
import { type InsightName, useFavouriteInsights } from '../insights-client.ts'

/** The star of an insight. */
export function InsightStar({ name }: { name: InsightName }) {
  const { isFavourite, toggle } = useFavouriteInsights()
  return (
    <FavouriteStar name={name.insightName} active={isFavourite(name)} onToggle={() => void toggle(name)} />
  )
}
