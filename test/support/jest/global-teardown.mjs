/** Removes what the global setup has created. */
export default async function tearDown() {
  await globalThis.gatehouseTestServer.clear();
}
