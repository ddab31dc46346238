import { createContext, useContext } from 'react'

/** The product configuration, for screens. */
export interface Product {
  /** Name of the deployment. */
  title: string
  /** URL of the icon; undefined for the product icon. */
  iconUrl: string
  /** URL of the logo; undefined for the product logo. */
  logoUrl: string
  /** Version of the server. */
  version: string
  /** Whether users can share insights. */
  sharingEnabled: boolean
  /** Whether users can create API keys. */
  apiKeysEnabled: boolean
  /** Whether the product runs in warehouse-only mode. */
  warehouseOnly: boolean
  /** Number of days for which deleted objects can be restored. */
  trashDays: number
  /** Whether unfinished pages are listed; for development only. */
  unfinishedPages: boolean
  /** Whether symbol searches use the index. */
  symbolsFromIndex: boolean
  /** Whether this is a local build. */
  localBuild: boolean
  /** Name of the environment, for the badge. */
  environment: string
  /** Whether the configuration is still loading. */
  loading: boolean
}

/** The configuration until the real one is loaded. */
export const defaultProduct: Product = {
  title: '',
  iconUrl: '',
  logoUrl: '',
  version: '',
  sharingEnabled: false,
  apiKeysEnabled: false,
  warehouseOnly: false,
  trashDays: 30,
  unfinishedPages: false,
  symbolsFromIndex: false,
  localBuild: false,
  environment: '',
  loading: true,
}

/** Provides the product configuration. */
export const ProductContext = createContext<Product>(defaultProduct)

/** Returns the product configuration. */
export function useProductConfig(): Product {
  return useContext(ProductContext)
}
