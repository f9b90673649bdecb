"""How strong players are, from nothing but the results of rated matches.

A rating is a projection: it can be computed again from the results at any time, to the last digit.
"""
