import { createContext, useContext, useMemo } from 'react'

/** A location on the pages of a feature that later features can fill, for example with buttons. */
export interface Slot<Item> {
  /** Name of the location. */
  readonly name: string
  /** Type of the items. */
  readonly itemOf: (item: Item) => SlotItem
}

/** An item that a feature adds to a slot. */
export interface SlotItem {
  /** {@link Slot.name} of the target slot. */
  readonly slotName: string
  /** Item of the type that the slot expects. */
  readonly item: unknown
}

/** Creates a slot. Names are unique in the application. */
export function createSlot<Item>(name: string): Slot<Item> {
  return { name, itemOf: (item) => ({ slotName: name, item }) }
}

/** The items of all slots, in the order of the features. The application provides them. */
export const SlotItemsContext = createContext<readonly SlotItem[]>([])

/** Returns the items that later features add to a slot, in the order of the features. */
export function useSlot<Item>({ name }: Slot<Item>): readonly Item[] {
  const items = useContext(SlotItemsContext)
  return useMemo(
    () => items.filter(({ slotName }) => slotName === name).map(({ item }) => item as Item),
    [items, name],
  )
}
