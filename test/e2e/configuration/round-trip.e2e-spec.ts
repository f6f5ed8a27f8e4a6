import { configurationInterface } from './configuration-interface.js';
import { roundTrips } from './round-trips.js';

describe('exportConfiguration', () => {
  const files = configurationInterface();
  beforeAll(() => files.app.factory.starterCatalog());

  it('exports what changes nothing when it is applied again', () => roundTrips(files, 15));
});
