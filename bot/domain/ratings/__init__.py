"""The strength of players, from the results of rated matches alone.

A rating is a projection: it can be computed again from the results at any time, to the last digit.
"""
