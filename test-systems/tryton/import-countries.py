"""Imports the countries without their subdivisions, whose translations take minutes: import-countries.py -c CONFIG -d DATABASE"""

import argparse

from proteus import config
from trytond.modules.country.scripts import import_countries

parser = argparse.ArgumentParser()
parser.add_argument("-c", dest="config")
parser.add_argument("-d", dest="database")
arguments = parser.parse_args()
config.set_trytond(arguments.database, config_file=arguments.config)
with config.get_config().set_context(active_test=False):
    import_countries.update_countries(import_countries.get_countries())
