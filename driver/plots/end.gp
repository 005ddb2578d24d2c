# Closes FIGURE.svg and forgets all settings.
unset output
reset
load PLOTS."/style.gp"
